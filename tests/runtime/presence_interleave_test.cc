// Unwound lenders under every interleaving within bounds and many random ones: whoever has
// withdrawn may write what it lent, for nobody reads it; lenders that wait for each other in a
// circle come to an end, and only those give back what they borrowed before their time; who is
// stopped sees why; and canaries, with weakened orders and without what the circle needs.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <deque>

#include "runtime/mailbox.h"
#include "runtime/presence.h"
#include "tests/interleave/checked.h"
#include "tests/interleave/interleave.h"
#include "tests/interleave/weakened.h"

namespace postroom {
namespace {

using interleave::Checked;
using interleave::NoAcquire;
using interleave::NoRelease;
using interleave::Options;
using interleave::Result;
using Failure = Result::Failure;
using Scene = interleave::Run;

enum class Leaves { kAfterTheLastTake, kBeforeIt };
enum class Circle { kGivesBack, kWaits };

constexpr std::uint32_t kUse = 2;

/// Processors of which each may lend its cell to the next. Only what the presences do has the
/// orders of `Atomics`.
template <class Atomics>
class Processors {
 public:
  explicit Processors(int count) : one_(static_cast<std::size_t>(count)) {}

  void lend(int me) {
    One& own = one(me);
    Checked::writes(&own.cell, sizeof(own.cell));
    own.cell = me;
    own.to_next.post_reference(
        {reinterpret_cast<const std::byte*>(&own.cell), sizeof(own.cell), &own.returned, kUse});
    own.posted = own.to_next.posted();
  }
  /// Borrows from the one before, if its message is there; whether it is.
  bool borrow(int me) {
    One& lender = before(me);
    if (!lender.to_next.try_front()) return false;
    interleave::check(lender.to_next.front().use == kUse, "it is the loan");
    (void)lender.to_next.take();
    one(me).borrows = true;
    return true;
  }
  void read(int me) {
    const One& lender = before(me);
    Checked::reads(&lender.cell, sizeof(lender.cell));
    interleave::check(lender.cell == number_before(me), "what the lender wrote");
  }
  void give_back(int me) {
    if (!one(me).borrows) return;
    read(me);  // the last time
    one(me).borrows = false;
    before(me).returned.store(kUse, std::memory_order_release);
  }
  void leave(int me) { one(me).presence.leave(); }
  /// The end of the loan in an unwound program, as MailboxProcessor makes it; then the memory goes.
  void withdraw(int me, Circle circle = Circle::kGivesBack) {
    struct Lent {
      Processors& all;
      One& own;
      int me;
      Circle circle;
      bool returned() const { return reached(own.returned.load(std::memory_order_acquire), kUse); }
      bool taken() const { return own.to_next.has_taken(own.posted); }
      void give_all_back() const {
        own.is_in_circle = true;
        if (circle == Circle::kGivesBack) all.give_back(me);
      }
      void rest() const { Checked::yield(); }
    };
    const auto of = [this](int i) -> const Presence<Atomics>& { return one(i).presence; };
    const auto count = static_cast<int>(one_.size());
    one(me).presence.withdraw(me, (me + 1) % count, count, of, Lent{*this, one(me), me, circle});
    Checked::writes(&one(me).cell, sizeof(one(me).cell));
    one(me).cell = -1;
  }
  bool was_in_circle(int me) const { return one_[static_cast<std::size_t>(me)].is_in_circle; }

 private:
  struct One {
    Presence<Atomics> presence;
    Mailbox<Checked> to_next{2};
    Checked::Atomic<std::uint32_t> returned{0};
    int cell = 0;
    std::uint64_t posted = 0;
    bool borrows = false;
    bool is_in_circle = false;
  };
  One& one(int i) { return one_[static_cast<std::size_t>(i)]; }
  int number_before(int me) const { return (me == 0 ? static_cast<int>(one_.size()) : me) - 1; }
  One& before(int me) { return one(number_before(me)); }

  std::deque<One> one_;
};

/// One lends and is unwound at once; the other borrows, or notices first that the machine stops.
template <class Atomics>
void one_lends(Scene& run, Leaves leaves) {
  Processors<Atomics> all(2);
  Checked::Atomic<bool> stopped{false};
  run.thread(
      [&] {
        all.lend(0);
        stopped.store(true, std::memory_order_relaxed);
        all.withdraw(0);
      },
      "lender");
  run.thread(
      [&] {
        while (!stopped.load(std::memory_order_relaxed)) {
          if (all.borrow(1)) break;
          Checked::yield();
        }
        if (leaves == Leaves::kBeforeIt) {
          all.leave(1);
          (void)all.borrow(1);
        }
        all.give_back(1);
        all.leave(1);
      },
      "borrower");
  run.after();
}

/// All lend to the next, come to what they borrow, and are unwound before they have read it.
template <class Atomics>
void all_lend(Scene& run, int count, Circle circle) {
  Processors<Atomics> all(count);
  for (int me = 0; me < count; ++me) {
    run.thread([&, me] {
      all.lend(me);
      while (!all.borrow(me)) Checked::yield();
      all.withdraw(me, circle);
      all.give_back(me);
      all.leave(me);
    });
  }
  run.after();
}

/// The first lends to the second and that to the third: a chain has an end, and nobody may be made
/// to give back before it comes to that itself.
void chain(Scene& run) {
  Processors<Checked> all(3);
  for (int me = 0; me < 3; ++me) {
    run.thread([&, me] {
      if (me < 2) all.lend(me);
      if (me > 0) {
        while (!all.borrow(me)) Checked::yield();
      }
      if (me < 2) all.withdraw(me);
      all.give_back(me);
      all.leave(me);
    });
  }
  run.after([&] {
    for (int me = 0; me < 3; ++me) interleave::check(!all.was_in_circle(me), "there is no circle");
  });
}

/// The machine is stopped while a processor takes part, or leaves.
template <class Atomics>
void stopped(Scene& run) {
  Presence<Atomics> presence;
  int cause = 0;
  run.thread(
      [&] {
        Checked::writes(&cause, sizeof(cause));
        cause = 1;
        presence.stop();
      },
      "who stops it");
  run.thread(
      [&] {
        if (!presence.takes_part()) {
          Checked::reads(&cause, sizeof(cause));
          interleave::check(cause == 1, "with what stopped it");
        }
        presence.leave();
      },
      "who leaves");
  run.after([&] {
    interleave::check(presence.has_left(), "who has left has left");
    interleave::check(!presence.takes_part(), "and takes no part");
  });
}

/// What exploring finds; both modes must find the same, the systematic one to the end.
Failure explored(const interleave::Scenario& scenario, int preemptions = 2) {
  const Result random = interleave::explore({.executions = 20'000}, scenario);
  const Result systematic = interleave::explore({.mode = Options::Mode::kSystematic,
                                                 .executions = 1'000'000,
                                                 .preemptions = preemptions,
                                                 .stale_loads = 1},
                                                scenario);
  EXPECT_EQ(random.failure, systematic.failure) << random.report << systematic.report;
  EXPECT_TRUE(!systematic.ok() || systematic.complete) << "gave up";
  return systematic.failure;
}

template <class Atomics>
interleave::Scenario one_lender(Leaves leaves = Leaves::kAfterTheLastTake) {
  return [leaves](Scene& run) { one_lends<Atomics>(run, leaves); };
}
template <class Atomics>
interleave::Scenario circle_of(int count, Circle circle = Circle::kGivesBack) {
  return [=](Scene& run) { all_lend<Atomics>(run, count, circle); };
}

TEST(PresenceInterleaved, NobodyReadsWhatAnUnwoundLenderTakesBack) {
  EXPECT_EQ(explored(one_lender<Checked>()), Failure::kNone);
}

TEST(PresenceInterleaved, ACircleOfLendersEnds) {
  EXPECT_EQ(explored(circle_of<Checked>(2)), Failure::kNone);
  EXPECT_EQ(explored(circle_of<Checked>(3), 1), Failure::kNone);
}

TEST(PresenceInterleaved, AChainOfLendersEndsInItsOrder) {
  EXPECT_EQ(explored(chain, 1), Failure::kNone);
}

TEST(PresenceInterleaved, WhoIsStoppedSeesWhyAndLeavesAsOthersDo) {
  EXPECT_EQ(explored(stopped<Checked>), Failure::kNone);
}

TEST(PresenceCanary, WhoStopsMustShowWhy) {
  EXPECT_EQ(explored(stopped<NoAcquire>), Failure::kRace);
}

TEST(PresenceCanary, WhoHasLeftMustShowWhatItTook) {
  EXPECT_EQ(explored(one_lender<NoRelease>()), Failure::kRace);
  EXPECT_EQ(explored(one_lender<NoAcquire>()), Failure::kRace);
}

TEST(PresenceCanary, WhoHasLeftMustTakeNoMore) {
  EXPECT_EQ(explored(one_lender<Checked>(Leaves::kBeforeIt)), Failure::kRace);
}

TEST(PresenceCanary, ACircleThatGivesNothingBackDoesNotEnd) {
  EXPECT_EQ(explored(circle_of<Checked>(2, Circle::kWaits)), Failure::kDeadlock);
}

}  // namespace
}  // namespace postroom
