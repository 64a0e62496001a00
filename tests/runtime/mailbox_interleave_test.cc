// The mailbox and the parker under every interleaving within bounds and many random ones, with the
// orders that they ship with; and canaries: weakened orders and a planted race, which must be
// found.
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "runtime/mailbox.h"
#include "runtime/parker.h"
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

template <class Atomics>
void post(Mailbox<Atomics>& mailbox, int value) {
  mailbox.post_inline(std::as_bytes(std::span(&value, 1)));
}

template <class Atomics>
int read(const typename Mailbox<Atomics>::Message& message) {
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
  run.thread(
      [&] {
        for (int i = 0; i < messages; ++i) post(mailbox, i);
      },
      "sender");
  run.thread(
      [&] {
        for (int i = 0; i < messages; ++i) {
          while (!mailbox.try_front()) Atomics::yield();
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
          while (!mailbox.try_front()) Atomics::yield();
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
          while (!mailbox.try_front()) {
            parker.prepare();
            if (reached(mailbox.next_word().load(std::memory_order_acquire),
                        mailbox.next_value())) {
              parker.cancel();
            } else {
              parker.park();
            }
          }
          interleave::check(read<Atomics>(mailbox.front()) == i, "messages come in order");
          (void)mailbox.take();
        }
      },
      "receiver");
  run.after();
}

// The sender lends a word and frees it after the return; the receiver reads it in place.
template <class Atomics>
void lend_once(Scene& run) {
  Mailbox<Atomics> mailbox(2);
  typename Atomics::template Atomic<std::uint32_t> returned{0};
  int lent = 5;
  run.thread(
      [&] {
        Atomics::writes(&lent, sizeof(lent));
        lent = 6;
        mailbox.post_reference(
            {reinterpret_cast<const std::byte*>(&lent), sizeof(lent), &returned, 1});
        while (!reached(returned.load(std::memory_order_acquire), 1)) Atomics::yield();
        Atomics::writes(&lent, sizeof(lent));
        lent = 7;
      },
      "lender");
  run.thread(
      [&] {
        while (!mailbox.try_front()) Atomics::yield();
        const auto message = mailbox.front();
        (void)mailbox.take();
        interleave::check(read<Atomics>(message) == 6, "reads what was lent");
        static_cast<typename Atomics::template Atomic<std::uint32_t>*>(message.loan)
            ->store(message.use, std::memory_order_release);
      },
      "borrower");
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
      for (auto& word : news) {
        while (word.load(std::memory_order_acquire) == 0) {
          parker.prepare();
          if (word.load(std::memory_order_acquire) == 0) {
            parker.park();
          } else {
            parker.cancel();
          }
        }
      }
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

TEST(MailboxCanary, AnUnpublishedReturnIsARace) {
  const Result result = interleave::explore({}, [](Scene& run) { lend_once<NoRelease>(run); });
  EXPECT_EQ(result.failure, Result::Failure::kRace) << result.report;
}

}  // namespace
}  // namespace postroom
