// Slots of several threads under every interleaving within bounds and many random ones: what a root
// hands out or gets is what was put in, in whatever order threads run and pages are turned; and
// canaries with weakened orders.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "runtime/parker.h"
#include "runtime/slots.h"
#include "runtime/wait.h"
#include "tests/interleave/checked.h"
#include "tests/interleave/interleave.h"
#include "tests/interleave/weakened.h"
#include "tests/runtime/await.h"

namespace postroom {
namespace {

using interleave::Checked;
using interleave::NoAcquire;
using interleave::NoRelease;
using interleave::Options;
using interleave::Result;
using Scene = interleave::Run;
using Number = std::uint64_t;

struct Call {
  enum class Way { kOut, kIn } way;
  int root;
};

// Pages of one call, so that each call turns to the next.
template <class Atomics>
using SmallSlots = Slots<Atomics, 1, 64>;

// Two processors on each thread, 2 t and 2 t + 1, which call by turns.
template <class Atomics>
class Threads {
 public:
  Threads(int threads, const WaitPolicy& policy, bool waits_to_turn)
      : policy_(policy),
        waits_to_turn_(waits_to_turn),
        members_(static_cast<std::size_t>(2 * threads)) {
    for (int t = 0; t < threads; ++t) {
      slots_.push_back(std::make_unique<SmallSlots<Atomics>>(2, true));
      parkers_.emplace_back(sleepers_);
    }
  }

  void run(int thread, std::span<const Call> calls) {
    for (std::size_t i = 0; i < calls.size(); ++i) {
      const Call& call = calls[i];
      const bool second_is_root = call.root == 2 * thread + 1;
      // Within a thread a root hands out before others take, and takes after they have handed in.
      const bool swap = second_is_root == (call.way == Call::Way::kOut);
      for (int k = 0; k < 2; ++k) {
        make(thread, 2 * thread + (swap ? 1 - k : k), call, Number(100 * i));
      }
    }
  }

 private:
  using Of = SmallSlots<Atomics>;

  void make(int thread, int processor, const Call& call, Number base) {
    typename Of::Member& member = members_[static_cast<std::size_t>(processor)];
    constexpr std::size_t kBytes = 2 * sizeof(Number);
    if (member.page_is_full(kBytes)) turn(thread, member);
    const Number mark = base + static_cast<Number>(call.root) + 1;
    const auto slot = member.next(kBytes, mark);
    Of& own = *slots_[static_cast<std::size_t>(thread)];
    own.come(slot, processor);
    interleave::check(own.mark_of(slot) == slot.mark, "the mark of the own thread");
    if (call.way == Call::Way::kOut) {
      hand_out(thread, processor, call, slot, base);
    } else {
      hand_in(thread, processor, call, slot, base);
    }
    own.leave(slot);
    member.make();
    wake_all();
  }

  void turn(int thread, typename Of::Member& member) {
    for (const auto& slots : slots_) {
      if (waits_to_turn_) await(thread, slots->turned(), member.page());
    }
    member.turn();
    if (!slots_[static_cast<std::size_t>(thread)]->turn(member.page(), member.next_number()))
      return;
    wake_all();
  }

  void hand_out(int thread, int processor, const Call& call, const typename Of::Slot& slot,
                Number base) {
    if (processor == call.root) {
      const std::array<Number, 2> list{base + 7, base + 8};
      return slots_[static_cast<std::size_t>(thread)]->write(slot, 0,
                                                             std::as_bytes(std::span(list)));
    }
    await(thread, members_[static_cast<std::size_t>(call.root)].made(), slot.number + 1);
    const Of& from = *slots_[static_cast<std::size_t>(call.root / 2)];
    interleave::check(from.mark_of(slot) == slot.mark, "the mark of the root's thread");
    std::array<Number, 2> list{};
    from.read(slot, 0, std::as_writable_bytes(std::span(list)));
    interleave::check(list[0] == base + 7 && list[1] == base + 8, "what the root has handed out");
  }

  void hand_in(int thread, int processor, const Call& call, const typename Of::Slot& slot,
               Number base) {
    const Number mine = base + static_cast<Number>(processor);
    slots_[static_cast<std::size_t>(thread)]->write(
        slot, static_cast<std::size_t>(processor % 2) * sizeof(mine),
        std::as_bytes(std::span(&mine, 1)));
    if (processor != call.root) return;
    for (int t = 0; t < static_cast<int>(slots_.size()); ++t) {
      const Of& from = *slots_[static_cast<std::size_t>(t)];
      if (t != thread) await(thread, from.made_by_all(), slot.number + 1);
      std::array<Number, 2> list{};
      from.read(slot, 0, std::as_writable_bytes(std::span(list)));
      interleave::check(list[0] == base + static_cast<Number>(2 * t) && list[1] == list[0] + 1,
                        "what all have handed in");
    }
  }

  void wake_all() {
    if (!sleepers_.any()) return;
    for (Parker<Checked>& parker : parkers_) parker.wake();
  }

  void await(int thread, const typename Of::Word& word, std::uint32_t value) {
    postroom::await(AwaitedWord<typename Of::Word>{&word, value}, policy_,
                    parkers_[static_cast<std::size_t>(thread)]);
  }

  WaitPolicy policy_;
  bool waits_to_turn_;
  std::vector<std::unique_ptr<Of>> slots_;
  Sleepers<Checked> sleepers_;
  std::deque<Parker<Checked>> parkers_;
  std::vector<typename Of::Member> members_;
};

// Two threads with a processor each, which have made other calls, of another size: the second one's
// slot of the call that they agree on begins where the first one goes on to write.
template <class Atomics>
void disagree(Scene& scene, bool compares = true) {
  using Of = Slots<Atomics, 3, 64>;
  constexpr std::size_t kBytes = 2 * sizeof(Number);
  constexpr Number kCall = 7;
  Of own[] = {Of(1, true), Of(1, true)};
  typename Of::Member members[2];
  Parker<Checked> parkers[2];
  // Returns the slot of what has been called with `mark`.
  const auto come = [&](int thread, std::size_t bytes, Number mark) {
    const auto slot = members[thread].next(bytes, mark);
    own[thread].come(slot, thread);
    return slot;
  };
  const auto write = [&](int thread, const typename Of::Slot& slot) {
    const std::array<Number, 2> list{};
    own[thread].write(slot, 0, std::as_bytes(std::span(list)));
    own[thread].leave(slot);
    members[thread].make();
  };
  scene.thread(
      [&] {
        for (const Number mark : {Number{1}, kCall, Number{3}}) write(0, come(0, kBytes, mark));
      },
      "root");
  scene.thread([&] {
    write(1, come(1, 2 * kBytes, 2));
    const auto slot = come(1, kBytes, kCall);
    postroom::await(AwaitedWord{&members[0].made(), slot.number + 1}, kSpins, parkers[1]);
    const Number mark = own[0].mark_of(slot);
    interleave::check(mark != slot.mark, "that slot begins elsewhere");
    interleave::check(slot.callers_mark(mark) >> Of::kMarkBits != 0, "as the mark says");
    if (compares) return;
    std::array<Number, 2> list{};
    own[0].read(slot, 0, std::as_writable_bytes(std::span(list)));
  });
  scene.after();
}

struct Setting {
  int threads = 2;
  WaitPolicy policy = kSpins;
  bool waits_to_turn = true;
};

template <class Atomics>
void call_all(Scene& scene, std::span<const Call> calls, Setting setting = {}) {
  Threads<Atomics> all(setting.threads, setting.policy, setting.waits_to_turn);
  for (int t = 0; t < setting.threads; ++t) {
    scene.thread([&all, t, calls] { all.run(t, calls); });
  }
  scene.after();
}

constexpr Call kMixed[] = {{Call::Way::kOut, 0},
                           {Call::Way::kIn, 3},
                           {Call::Way::kOut, 1},
                           {Call::Way::kOut, 2},
                           {Call::Way::kIn, 0}};
constexpr Call kOneRoot[] = {{Call::Way::kOut, 0}, {Call::Way::kOut, 0}, {Call::Way::kOut, 0}};
constexpr Call kToOneRoot[] = {{Call::Way::kIn, 0}, {Call::Way::kIn, 0}, {Call::Way::kIn, 0}};

Options random_options() { return {.executions = 5'000}; }
Options systematic_options() { return {.mode = Options::Mode::kSystematic, .executions = 20'000}; }

TEST(SlotsInterleaving, ListsComeAsTheyWereHandedOutAndIn) {
  for (const Options& options : {random_options(), systematic_options()}) {
    for (const std::span<const Call> calls :
         {std::span<const Call>(kMixed), std::span<const Call>(kOneRoot),
          std::span<const Call>(kToOneRoot)}) {
      const Result result =
          interleave::explore(options, [&](Scene& scene) { call_all<Checked>(scene, calls); });
      EXPECT_TRUE(result.ok()) << result.report;
      EXPECT_GT(result.executions, 1000);
    }
  }
}

TEST(SlotsInterleaving, EveryInterleavingOfTheSmallestScenes) {
  const Options options{.mode = Options::Mode::kSystematic, .executions = 2'000'000};
  for (const std::span<const Call> calls :
       {std::span<const Call>(kOneRoot), std::span<const Call>(kToOneRoot)}) {
    const Result result = interleave::explore(
        options, [&](Scene& scene) { call_all<Checked>(scene, calls.first(1)); });
    EXPECT_TRUE(result.ok()) << result.report;
    EXPECT_TRUE(result.complete) << result.executions;
  }
}

TEST(SlotsInterleaving, OfThreeThreads) {
  const Result result = interleave::explore(
      random_options(), [](Scene& scene) { call_all<Checked>(scene, kMixed, {.threads = 3}); });
  EXPECT_TRUE(result.ok()) << result.report;
}

TEST(SlotsInterleaving, WhoParksIsWoken) {
  for (const Options& options : {random_options(), systematic_options()}) {
    const Result result = interleave::explore(
        options, [](Scene& scene) { call_all<Checked>(scene, kMixed, {.policy = kParks}); });
    EXPECT_TRUE(result.ok()) << result.report;
  }
}

TEST(SlotsInterleaving, WhoHasMadeOtherCallsLooksAtAMarkAndAtNothingElse) {
  const Result result =
      interleave::explore({.mode = Options::Mode::kSystematic, .executions = 1'000'000},
                          [](Scene& scene) { disagree<Checked>(scene); });
  EXPECT_TRUE(result.ok()) << result.report;
  EXPECT_TRUE(result.complete) << result.executions;
}

TEST(SlotsCanary, WhoHasMadeOtherCallsAndReadsAListThatIsBeingWritten) {
  const Result result =
      interleave::explore({}, [](Scene& scene) { disagree<Checked>(scene, /*compares=*/false); });
  EXPECT_EQ(result.failure, Result::Failure::kRace) << result.report;
}

TEST(SlotsCanary, ACountThatPublishesNothingIsARace) {
  const Result result =
      interleave::explore({}, [](Scene& scene) { call_all<NoRelease>(scene, kOneRoot); });
  EXPECT_EQ(result.failure, Result::Failure::kRace) << result.report;
}

TEST(SlotsCanary, ACountThatIsNotAcquiredIsARace) {
  const Result result =
      interleave::explore({}, [](Scene& scene) { call_all<NoAcquire>(scene, kOneRoot); });
  EXPECT_EQ(result.failure, Result::Failure::kRace) << result.report;
}

TEST(SlotsCanary, WhoTurnsTooEarlyWritesWhatOthersRead) {
  const Result result = interleave::explore(
      {}, [](Scene& scene) { call_all<Checked>(scene, kOneRoot, {.waits_to_turn = false}); });
  EXPECT_FALSE(result.ok());
}

}  // namespace
}  // namespace postroom
