// The mailbox and the parker under every interleaving within bounds and many random ones, with the
// orders that they ship with; and canaries: weakened orders and a planted race, which must be
// found.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "runtime/mailbox.h"
#include "runtime/parker.h"
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

// Where the kernel has no fence for all threads: both are the thread's own.
struct FullFences : Checked {
  static void light_fence() noexcept { fence(std::memory_order_seq_cst); }
  static void heavy_fence() noexcept { fence(std::memory_order_seq_cst); }
};
// The sleeper's fence does not reach the sender: the store-buffering pattern of the parker breaks.
struct FenceOfTheSleeperOnly : Checked {
  static void heavy_fence() noexcept { fence(std::memory_order_seq_cst); }
};
// The sender's fence alone does not help either.
struct FenceOfTheSenderOnly : Checked {
  static void light_fence() noexcept { fence(std::memory_order_seq_cst); }
  static void heavy_fence() noexcept {}
};

// Both sides' fences stand, but who has news for a group asks without one whether anybody sleeps.
struct WithoutTheFenceOfAny : FullFences {
  static inline bool asks = false;  // set before any(), which begins with the fence
  static void light_fence() noexcept {
    if (!std::exchange(asks, false)) FullFences::light_fence();
  }
};

template <class Atomics, std::uint32_t kCreditCells>
void post(Mailbox<Atomics, kCreditCells>& mailbox, int value) {
  mailbox.post_inline(std::as_bytes(std::span(&value, 1)));
}

template <class Atomics, class Message>
int read(const Message& message) {
  Atomics::reads(message.payload.data(), sizeof(int));
  int value = 0;
  std::memcpy(&value, message.payload.data(), sizeof(value));
  return value;
}

// One sender, one receiver that spins; the first ring has two cells, so that it is used up, reused
// and outgrown within a few messages.
template <class Atomics>
void spin_through(Scene& run, int messages, bool keeps_reading_after_take = false) {
  Mailbox<Atomics> mailbox(2);
  Parker<Atomics> parker;
  run.thread(
      [&] {
        for (int i = 0; i < messages; ++i) post(mailbox, i);
      },
      "sender");
  run.thread(
      [&] {
        for (int i = 0; i < messages; ++i) {
          await_message(mailbox, kSpins, parker);
          const auto message = mailbox.front();
          interleave::check(read<Atomics>(message) == i, "messages come in order");
          (void)mailbox.take();
          if (keeps_reading_after_take) (void)read<Atomics>(message);
        }
      },
      "receiver");
  run.after([&] { interleave::check(!mailbox.try_front(), "nothing is left"); });
}

// Messages that do not fit into a cell, more than there are notes for; the ring grows meanwhile.
template <class Atomics>
void note_through(Scene& run, int messages) {
  using Long = std::array<int, 13>;
  static_assert(sizeof(Long) > Mailbox<Atomics>::kInlineBytes);
  Mailbox<Atomics> mailbox(2, 4);
  Parker<Atomics> parker;
  run.thread(
      [&] {
        for (int i = 0; i < messages; ++i) {
          while (!mailbox.has_note(sizeof(Long))) Atomics::yield();
          Long data;
          data.fill(i);
          mailbox.post_note(std::as_bytes(std::span(data)));
        }
      },
      "sender");
  run.thread(
      [&] {
        for (int i = 0; i < messages; ++i) {
          await_message(mailbox, kSpins, parker);
          const auto message = mailbox.front();
          Long data;
          interleave::check(message.payload.size() == sizeof(data), "the whole message");
          std::memcpy(&data, message.payload.data(), sizeof(data));
          interleave::check(data.front() == i && data.back() == i, "messages come in order");
          (void)mailbox.take();
        }
      },
      "receiver");
  run.after([&] { interleave::check(!mailbox.try_front(), "nothing is left"); });
}

// One sender that wakes, one receiver that parks as soon as it finds nothing.
template <class Atomics>
void park_through(Scene& run, int messages) {
  Mailbox<Atomics> mailbox(2);
  Parker<Atomics> parker;
  run.thread(
      [&] {
        for (int i = 0; i < messages; ++i) {
          post(mailbox, i);
          parker.wake();
        }
      },
      "sender");
  run.thread(
      [&] {
        for (int i = 0; i < messages; ++i) {
          await_message(mailbox, kParks, parker);
          interleave::check(read<Atomics>(mailbox.front()) == i, "messages come in order");
          (void)mailbox.take();
        }
      },
      "receiver");
  run.after();
}

// A sender that is `most` messages ahead waits for credit, of which it is told once in kStep cells.
template <class Atomics, std::uint32_t kStep>
void send_on_credit(Scene& run, int messages, std::uint32_t most, bool wakes = true) {
  Mailbox<Atomics, kStep> mailbox(2);
  Parker<Atomics> senders;
  Parker<Atomics> receivers;
  run.thread(
      [&] {
        for (int i = 0; i < messages; ++i) {
          post(mailbox, i);
          if (mailbox.backlog() < most) continue;
          const std::uint32_t least_taken = mailbox.posted() - most;
          await(AwaitedWord{&mailbox.credit(), least_taken}, kParks, senders);
          interleave::check(mailbox.has_taken(least_taken), "the sender is not too far ahead");
        }
      },
      "sender");
  run.thread(
      [&] {
        for (int i = 0; i < messages; ++i) {
          await_message(mailbox, kSpins, receivers);
          interleave::check(read<Atomics>(mailbox.front()) == i, "messages come in order");
          if (mailbox.take() && wakes) senders.wake();
        }
      },
      "receiver");
  run.after();
}

// Two of a group sleep; who has news looks whether anybody does, and wakes all.
template <class Atomics>
void wake_the_group(
    Scene& run, const std::function<void()>& before_any = [] {}) {
  Sleepers<Atomics> group;
  Parker<Atomics> parkers[] = {Parker<Atomics>(group), Parker<Atomics>(group)};
  typename Atomics::template Atomic<std::uint32_t> news{0};
  run.thread(
      [&] {
        news.store(1, std::memory_order_release);
        before_any();
        if (!group.any()) return;
        for (Parker<Atomics>& parker : parkers) parker.wake();
      },
      "waker");
  for (Parker<Atomics>& parker : parkers) {
    run.thread([&] { await(AwaitedWord{&news, 1u}, kParks, parker); }, "sleeper");
  }
  run.after();
}

// Who waits for what never comes goes on when the machine stops.
void stop_a_wait(Scene& run) {
  Parker<Checked> parker;
  Checked::Atomic<std::uint32_t> stop{0};
  run.thread([&] {
    const auto stopped = [&] { return stop.load(std::memory_order_seq_cst) != 0; };
    const bool has_come =
        wait_until([] { return false; }, kParks, parker, stopped, [] { return true; }, [] {});
    interleave::check(!has_come, "the wait has been cut short");
  });
  run.thread([&] {
    stop.store(1, std::memory_order_seq_cst);
    parker.wake();
  });
  run.after();
}

// The sender lends a word and frees it after the return; the receiver reads it in place.
template <class Atomics>
void lend_once(Scene& run) {
  Mailbox<Atomics> mailbox(2);
  typename Atomics::template Atomic<std::uint32_t> returned{0};
  Parker<Atomics> lenders;
  Parker<Atomics> borrowers;
  int lent = 5;
  run.thread(
      [&] {
        Atomics::writes(&lent, sizeof(lent));
        lent = 6;
        mailbox.post_reference(
            {reinterpret_cast<const std::byte*>(&lent), sizeof(lent), &returned, 1});
        await(AwaitedWord{&returned, 1u}, kSpins, lenders);
        Atomics::writes(&lent, sizeof(lent));
        lent = 7;
      },
      "lender");
  run.thread(
      [&] {
        await_message(mailbox, kSpins, borrowers);
        const auto message = mailbox.front();
        (void)mailbox.take();
        interleave::check(read<Atomics>(message) == 6, "reads what was lent");
        static_cast<typename Atomics::template Atomic<std::uint32_t>*>(message.loan)
            ->store(message.use, std::memory_order_release);
      },
      "borrower");
  run.after();
}

// One waits for a word, and takes the message that comes meanwhile; the other moves that word only
// when its message was taken. As MailboxProcessor::wait_long with a receive that was started.
template <class Atomics>
void take_while_waiting(Scene& run, const WaitPolicy& policy, bool looks_at_message = true) {
  using Awaited = AwaitedWord<typename Atomics::template Atomic<std::uint32_t>>;
  Mailbox<Atomics> mailbox(2);
  typename Atomics::template Atomic<std::uint32_t> returned{0};
  typename Atomics::template Atomic<std::uint32_t> taken{0};
  Parker<Atomics> waiters;
  Parker<Atomics> senders;
  run.thread(
      [&] {
        const Awaited awaited{&returned, 1u};
        bool took = false;
        const auto take = [&] {
          if (took || !mailbox.try_front()) return;
          took = true;
          interleave::check(read<Atomics>(mailbox.front()) == 5, "takes what was sent");
          (void)mailbox.take();
          taken.store(1, std::memory_order_release);
          senders.wake();
        };
        take();
        while (!awaited.reached()) {
          std::vector<Awaited> may_come;
          if (!took) may_come.push_back({&mailbox.next_word(), mailbox.next_value()});
          Awaited any = awaited;
          if (looks_at_message) any.or_any = &may_come;
          await(any, policy, waiters);
          take();
        }
      },
      "waiter");
  run.thread(
      [&] {
        post<Atomics>(mailbox, 5);
        waiters.wake();
        await(Awaited{&taken, 1u}, policy, senders);
        returned.store(1, std::memory_order_release);
        waiters.wake();
      },
      "sender");
  run.after();
}

Options random_options() { return {.executions = 30'000}; }
Options systematic_options() { return {.mode = Options::Mode::kSystematic, .executions = 200'000}; }

// `scenario` passes, whichever way interleavings are chosen; more than `executions` are tried.
void expect_ok(const interleave::Scenario& scenario, int executions = 0) {
  for (const Options& options : {random_options(), systematic_options()}) {
    const Result result = interleave::explore(options, scenario);
    EXPECT_TRUE(result.ok()) << result.report;
    EXPECT_GT(result.executions, executions);
  }
}

void expect_ok_and_complete(const interleave::Scenario& scenario) {
  const Result result =
      interleave::explore({.mode = Options::Mode::kSystematic, .executions = 2'000'000}, scenario);
  EXPECT_TRUE(result.ok()) << result.report;
  EXPECT_TRUE(result.complete) << result.executions;
}

TEST(MailboxInterleaving, EveryInterleavingOfTheSmallestScenes) {
  expect_ok_and_complete([](Scene& run) { spin_through<Checked>(run, 3); });
  expect_ok_and_complete([](Scene& run) { note_through<Checked>(run, 2); });
  expect_ok_and_complete([](Scene& run) { park_through<Checked>(run, 2); });
  expect_ok_and_complete([](Scene& run) { lend_once<Checked>(run); });
  expect_ok_and_complete([](Scene& run) { send_on_credit<Checked, 2>(run, 3, 2); });
  expect_ok_and_complete([](Scene& run) { wake_the_group<Checked>(run); });
  expect_ok_and_complete(stop_a_wait);
}

TEST(MailboxInterleaving, OrderIsKeptThroughReuseAndGrowth) {
  expect_ok([](Scene& run) { spin_through<Checked>(run, 6); }, 1000);
}

TEST(MailboxInterleaving, NotesAreNotWrittenBeforeTheyWereRead) {
  expect_ok([](Scene& run) { note_through<Checked>(run, 6); }, 1000);
}

TEST(MailboxInterleaving, NoWakeUpIsLost) {
  expect_ok([](Scene& run) { park_through<Checked>(run, 3); });
}

TEST(MailboxInterleaving, NoWakeUpIsLostWithFencesOfBothSides) {
  expect_ok([](Scene& run) { park_through<FullFences>(run, 3); });
}

TEST(MailboxInterleaving, ALoanIsOverBeforeTheLenderWritesAgain) {
  expect_ok([](Scene& run) { lend_once<Checked>(run); });
}

TEST(MailboxInterleaving, WhoWaitsForSomethingElseTakesAMessage) {
  expect_ok([](Scene& run) { take_while_waiting<Checked>(run, kSpins); });
  expect_ok([](Scene& run) { take_while_waiting<Checked>(run, kParks); });
}

TEST(MailboxInterleaving, ASenderTooFarAheadGoesOnWhenItHasCredit) {
  expect_ok([](Scene& run) { send_on_credit<Checked, 2>(run, 5, 2); });
}

TEST(MailboxInterleaving, AGroupOfSleepersIsWoken) {
  expect_ok([](Scene& run) { wake_the_group<Checked>(run); });
  expect_ok([](Scene& run) { wake_the_group<FullFences>(run); });
}

TEST(MailboxInterleaving, WhoParksIsToldThatTheMachineStops) { expect_ok(stop_a_wait); }

TEST(MailboxInterleaving, TwoWakersAndOneSleeper) {
  const Result result = interleave::explore(random_options(), [](Scene& run) {
    Parker<Checked> parker;
    Checked::Atomic<std::uint32_t> news[2];
    for (auto& word : news) {
      run.thread([&] {
        word.store(1, std::memory_order_release);
        parker.wake();
      });
    }
    run.thread([&] {
      for (auto& word : news) await(AwaitedWord{&word, 1u}, kParks, parker);
    });
    run.after();
  });
  EXPECT_TRUE(result.ok()) << result.report;
}

// --- Canaries.

TEST(MailboxCanary, AnUnpublishedCellIsARace) {
  const Result result =
      interleave::explore({}, [](Scene& run) { spin_through<NoRelease>(run, 3); });
  EXPECT_EQ(result.failure, Result::Failure::kRace) << result.report;
}

TEST(MailboxCanary, ACellThatIsNotAcquiredIsARace) {
  const Result result =
      interleave::explore({}, [](Scene& run) { spin_through<NoAcquire>(run, 3); });
  EXPECT_EQ(result.failure, Result::Failure::kRace) << result.report;
}

TEST(MailboxCanary, ANoteThatIsNotPublishedIsARace) {
  const Result result =
      interleave::explore({}, [](Scene& run) { note_through<NoRelease>(run, 3); });
  EXPECT_EQ(result.failure, Result::Failure::kRace) << result.report;
}

TEST(MailboxCanary, ReadingAMessageAfterTakeIsARace) {
  const Result result =
      interleave::explore({}, [](Scene& run) { spin_through<Checked>(run, 6, true); });
  EXPECT_TRUE(result.failure == Result::Failure::kRace || result.failure == Result::Failure::kDead)
      << result.report;
}

TEST(MailboxCanary, WithoutAFenceOnBothSidesAWakeUpIsLost) {
  const Result sleeper =
      interleave::explore({}, [](Scene& run) { park_through<FenceOfTheSleeperOnly>(run, 2); });
  EXPECT_EQ(sleeper.failure, Result::Failure::kDeadlock) << sleeper.report;
  const Result sender =
      interleave::explore({}, [](Scene& run) { park_through<FenceOfTheSenderOnly>(run, 2); });
  EXPECT_EQ(sender.failure, Result::Failure::kDeadlock) << sender.report;
}

TEST(MailboxCanary, WithoutTheFenceOfAnyAWakeUpIsLost) {
  using Broken = WithoutTheFenceOfAny;
  const Result result = interleave::explore(
      {}, [](Scene& run) { wake_the_group<Broken>(run, [] { Broken::asks = true; }); });
  EXPECT_EQ(result.failure, Result::Failure::kDeadlock) << result.report;
}

TEST(MailboxCanary, ASenderWithoutCreditIsLeftAsleep) {
  const Result not_woken =
      interleave::explore({}, [](Scene& run) { send_on_credit<Checked, 2>(run, 5, 2, false); });
  EXPECT_EQ(not_woken.failure, Result::Failure::kDeadlock) << not_woken.report;
  // Of what is taken it is told later than it may be ahead.
  const Result never_told =
      interleave::explore({}, [](Scene& run) { send_on_credit<Checked, 8>(run, 5, 2); });
  EXPECT_EQ(never_told.failure, Result::Failure::kDeadlock) << never_told.report;
}

TEST(MailboxCanary, WhoDoesNotLookAtAMessageMeanwhileIsLeftAsleep) {
  const Result result =
      interleave::explore({}, [](Scene& run) { take_while_waiting<Checked>(run, kParks, false); });
  EXPECT_EQ(result.failure, Result::Failure::kDeadlock) << result.report;
}

TEST(MailboxCanary, AnUnpublishedReturnIsARace) {
  const Result result = interleave::explore({}, [](Scene& run) { lend_once<NoRelease>(run); });
  EXPECT_EQ(result.failure, Result::Failure::kRace) << result.report;
}

}  // namespace
}  // namespace postroom
