// A copy that two sides make together, under every interleaving within bounds and many random ones;
// and a canary: when what was written is not published, it must be noticed.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>

#include "runtime/parker.h"
#include "runtime/shared_copy.h"
#include "runtime/wait.h"
#include "tests/interleave/checked.h"
#include "tests/interleave/interleave.h"
#include "tests/interleave/weakened.h"
#include "tests/runtime/await.h"

namespace postroom {
namespace {

using interleave::Checked;
using interleave::Options;
using interleave::Result;
using Scene = interleave::Run;

// The shipped orders, or with `kPublishes` false those of the sender's count made relaxed.
template <bool kPublishes>
struct Orders : Checked {
  template <class T>
  class Atomic : public Checked::Atomic<T> {
   public:
    using Checked::Atomic<T>::Atomic;
    void store(T value, std::memory_order order, Where where = Where::current()) noexcept {
      const bool weakened = !kPublishes && order == std::memory_order_release;
      Checked::Atomic<T>::store(value, weakened ? std::memory_order_relaxed : order, where);
    }
  };
};

constexpr int kNumbers = 3;

// One message after the other through the same copy. The word of their loan, a `Word`, is as in
// MailboxProcessor: use - 1 while the copy is open, use when it is over. `posted` stands for the
// mailbox.
template <class Atomics, class Word = Checked::Atomic<std::uint32_t>>
void copy_together(Scene& run, int messages, const WaitPolicy& policy = kSpins) {
  SharedCopy<Atomics> copy;
  Checked::Atomic<std::uint32_t> posted{0};
  Word returned{0};
  Parker<Checked> senders;
  Parker<Checked> receivers;
  int from[kNumbers] = {};
  int to[kNumbers] = {};
  const auto value = [](std::uint32_t use, int i) { return 10 * static_cast<int>(use) + i + 1; };
  const auto last_use = static_cast<std::uint32_t>(2 * messages);
  run.thread(
      [&] {
        for (std::uint32_t use = 2; use <= last_use; use += 2) {
          Atomics::writes(from, sizeof(from));
          for (int i = 0; i < kNumbers; ++i) from[i] = value(use, i);
          posted.store(use, std::memory_order_release);
          receivers.wake();
          await(AwaitedWord{&returned, use - 1}, policy, senders);
          if (AwaitedWord{&returned, use}.reached()) continue;
          copy.help();
          await(AwaitedWord{&returned, use}, policy, senders);
        }
      },
      "sender");
  run.thread(
      [&] {
        const auto move = [&](std::uint32_t to_value) {
          returned.store(to_value, std::memory_order_release);
          senders.wake();
        };
        for (std::uint32_t use = 2; use <= last_use; use += 2) {
          await(AwaitedWord{&posted, use}, policy, receivers);
          copy.open(reinterpret_cast<std::byte*>(to), reinterpret_cast<const std::byte*>(from),
                    sizeof(from), sizeof(from), SharedCopy<Atomics>::Into::kBorrower, sizeof(int));
          move(use - 1);
          const std::uint32_t own = copy.copy_parts();
          while (!copy.complete(own)) Atomics::yield();
          Atomics::reads(to, sizeof(to));
          for (int i = 0; i < kNumbers; ++i) {
            interleave::check(to[i] == value(use, i), "every part was copied");
          }
          move(use);
        }
      },
      "receiver");
  run.after();
}

// One loan after the other that the borrower fills, likewise.
template <class Atomics>
void fill_together(Scene& run, int loans) {
  SharedCopy<Atomics> copy;
  Checked::Atomic<std::uint32_t> posted{0};
  Checked::Atomic<std::uint32_t> returned{0};
  Parker<Checked> lenders;
  Parker<Checked> borrowers;
  int from[kNumbers] = {};
  int to[kNumbers] = {};
  const auto value = [](std::uint32_t use, int i) { return 10 * static_cast<int>(use) + i + 1; };
  const auto last_use = static_cast<std::uint32_t>(2 * loans);
  run.thread(
      [&] {
        for (std::uint32_t use = 2; use <= last_use; use += 2) {
          posted.store(use, std::memory_order_release);
          borrowers.wake();
          await(AwaitedWord{&returned, use - 1}, kSpins, lenders);
          if (!AwaitedWord{&returned, use}.reached()) {
            copy.help();
            await(AwaitedWord{&returned, use}, kSpins, lenders);
          }
          Atomics::reads(to, sizeof(to));
          for (int i = 0; i < kNumbers; ++i) {
            interleave::check(to[i] == value(use, i), "every part was filled");
          }
        }
      },
      "lender");
  run.thread(
      [&] {
        const auto move = [&](std::uint32_t to_value) {
          returned.store(to_value, std::memory_order_release);
          lenders.wake();
        };
        for (std::uint32_t use = 2; use <= last_use; use += 2) {
          // As soon as it has given back the loan before.
          Atomics::writes(from, sizeof(from));
          for (int i = 0; i < kNumbers; ++i) from[i] = value(use, i);
          await(AwaitedWord{&posted, use}, kSpins, borrowers);
          copy.open(reinterpret_cast<std::byte*>(to), reinterpret_cast<const std::byte*>(from),
                    sizeof(from), sizeof(from), SharedCopy<Atomics>::Into::kLender, sizeof(int));
          move(use - 1);
          const std::uint32_t own = copy.copy_parts();
          while (!copy.complete(own)) Atomics::yield();
          move(use);
        }
      },
      "borrower");
  run.after();
}

TEST(SharedCopyInterleaving, EveryPartIsFilledOnceAndSeen) {
  for (const Options& options :
       {Options{.executions = 20'000},
        Options{.mode = Options::Mode::kSystematic, .executions = 100'000}}) {
    const Result result =
        interleave::explore(options, [](Scene& run) { fill_together<Orders<true>>(run, 2); });
    EXPECT_TRUE(result.ok()) << result.report;
    EXPECT_GT(result.executions, 1000);
  }
}

TEST(SharedCopyInterleaving, EveryPartIsCopiedOnceAndSeen) {
  for (const Options& options :
       {Options{.executions = 20'000},
        Options{.mode = Options::Mode::kSystematic, .executions = 100'000}}) {
    const Result result =
        interleave::explore(options, [](Scene& run) { copy_together<Orders<true>>(run, 2); });
    EXPECT_TRUE(result.ok()) << result.report;
    EXPECT_GT(result.executions, 1000);
  }
}

TEST(SharedCopyInterleaving, WhoParksIsWoken) {
  for (const Options& options :
       {Options{.executions = 20'000},
        Options{.mode = Options::Mode::kSystematic, .executions = 100'000}}) {
    const Result result = interleave::explore(
        options, [](Scene& run) { copy_together<Orders<true>>(run, 2, kParks); });
    EXPECT_TRUE(result.ok()) << result.report;
  }
}

TEST(SharedCopyInterleaving, EveryInterleavingOfOneMessage) {
  const Result result =
      interleave::explore({.mode = Options::Mode::kSystematic, .executions = 2'000'000},
                          [](Scene& run) { copy_together<Orders<true>>(run, 1); });
  EXPECT_TRUE(result.ok()) << result.report;
  EXPECT_TRUE(result.complete) << result.executions;
}

TEST(SharedCopyCanary, ALoanThatIsNotPublishedIsARace) {
  using Word = interleave::NoRelease::Atomic<std::uint32_t>;
  const Result result =
      interleave::explore({}, [](Scene& run) { copy_together<Orders<true>, Word>(run, 2); });
  EXPECT_EQ(result.failure, Result::Failure::kRace) << result.report;
}

TEST(SharedCopyCanary, ALoanThatIsNotAcquiredIsARace) {
  using Word = interleave::NoAcquire::Atomic<std::uint32_t>;
  const Result result =
      interleave::explore({}, [](Scene& run) { copy_together<Orders<true>, Word>(run, 2); });
  EXPECT_EQ(result.failure, Result::Failure::kRace) << result.report;
}

TEST(SharedCopyCanary, PartsThatAreNotPublishedAreARace) {
  const Result copied =
      interleave::explore({}, [](Scene& run) { copy_together<Orders<false>>(run, 1); });
  EXPECT_EQ(copied.failure, Result::Failure::kRace) << copied.report;
  // The borrower may write again what the lender has not read yet.
  const Result filled =
      interleave::explore({}, [](Scene& run) { fill_together<Orders<false>>(run, 2); });
  EXPECT_EQ(filled.failure, Result::Failure::kRace) << filled.report;
}

}  // namespace
}  // namespace postroom
