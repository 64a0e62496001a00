// A copy that two sides make together, under every interleaving within bounds and many random ones;
// and a canary: when what was written is not published, it must be noticed.
#include <gtest/gtest.h>

#include <array>
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

// One message after the other through the same copy, or one loan after the other that the borrower
// fills. The word of their loan, a `Word`, is as in MailboxProcessor: use - 1 while the copy is
// open, use when it is over. `posted` stands for the mailbox.
template <class Atomics, class Word = Checked::Atomic<std::uint32_t>>
void copy_together(Scene& run, typename SharedCopy<Atomics>::Into into, int loans,
                   const WaitPolicy& policy = kSpins) {
  using Into = typename SharedCopy<Atomics>::Into;
  SharedCopy<Atomics> copy;
  Checked::Atomic<std::uint32_t> posted{0};
  Word returned{0};
  Parker<Checked> lenders;
  Parker<Checked> borrowers;
  int from[kNumbers] = {};
  int to[kNumbers] = {};
  const auto last_use = static_cast<std::uint32_t>(2 * loans);
  const auto value = [](std::uint32_t use, int i) { return 10 * static_cast<int>(use) + i + 1; };
  const auto write = [&](std::uint32_t use) {
    Atomics::writes(from, sizeof(from));
    for (int i = 0; i < kNumbers; ++i) from[i] = value(use, i);
  };
  const auto check = [&](std::uint32_t use) {
    Atomics::reads(to, sizeof(to));
    for (int i = 0; i < kNumbers; ++i) {
      interleave::check(to[i] == value(use, i), "every part was copied");
    }
  };
  run.thread(
      [&] {
        for (std::uint32_t use = 2; use <= last_use; use += 2) {
          if (into == Into::kBorrower) write(use);
          posted.store(use, std::memory_order_release);
          borrowers.wake();
          await(AwaitedWord{&returned, use - 1}, policy, lenders);
          if (!AwaitedWord{&returned, use}.reached()) {
            copy.help();
            await(AwaitedWord{&returned, use}, policy, lenders);
          }
          if (into == Into::kLender) check(use);
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
          if (into == Into::kLender) write(use);  // as soon as the loan before is over
          await(AwaitedWord{&posted, use}, policy, borrowers);
          copy.open(reinterpret_cast<std::byte*>(to), reinterpret_cast<const std::byte*>(from),
                    sizeof(from), sizeof(from), into, sizeof(int));
          move(use - 1);
          const std::uint32_t own = copy.copy_parts();
          while (!copy.complete(own)) Atomics::yield();
          if (into == Into::kBorrower) check(use);
          move(use);
        }
      },
      "borrower");
  run.after();
}

template <class Atomics>
constexpr std::array kBothWays{SharedCopy<Atomics>::Into::kBorrower,
                               SharedCopy<Atomics>::Into::kLender};

TEST(SharedCopyInterleaving, EveryPartIsCopiedOnceAndSeen) {
  for (const auto into : kBothWays<Orders<true>>) {
    for (const Options& options :
         {Options{.executions = 20'000},
          Options{.mode = Options::Mode::kSystematic, .executions = 100'000}}) {
      const Result result = interleave::explore(
          options, [&](Scene& run) { copy_together<Orders<true>>(run, into, 2); });
      EXPECT_TRUE(result.ok()) << result.report;
      EXPECT_GT(result.executions, 1000);
    }
  }
}

TEST(SharedCopyInterleaving, WhoParksIsWoken) {
  for (const auto into : kBothWays<Orders<true>>) {
    for (const Options& options :
         {Options{.executions = 20'000},
          Options{.mode = Options::Mode::kSystematic, .executions = 100'000}}) {
      const Result result = interleave::explore(
          options, [&](Scene& run) { copy_together<Orders<true>>(run, into, 2, kParks); });
      EXPECT_TRUE(result.ok()) << result.report;
    }
  }
}

TEST(SharedCopyInterleaving, EveryInterleavingOfOne) {
  for (const auto into : kBothWays<Orders<true>>) {
    const Result result =
        interleave::explore({.mode = Options::Mode::kSystematic, .executions = 2'000'000},
                            [&](Scene& run) { copy_together<Orders<true>>(run, into, 1); });
    EXPECT_TRUE(result.ok()) << result.report;
    EXPECT_TRUE(result.complete) << result.executions;
  }
}

TEST(SharedCopyCanary, ALoanThatIsNotPublishedIsARace) {
  using Word = interleave::NoRelease::Atomic<std::uint32_t>;
  for (const auto into : kBothWays<Orders<true>>) {
    const Result result = interleave::explore(
        {}, [&](Scene& run) { copy_together<Orders<true>, Word>(run, into, 2); });
    EXPECT_EQ(result.failure, Result::Failure::kRace) << result.report;
  }
}

TEST(SharedCopyCanary, ALoanThatIsNotAcquiredIsARace) {
  using Word = interleave::NoAcquire::Atomic<std::uint32_t>;
  for (const auto into : kBothWays<Orders<true>>) {
    const Result result = interleave::explore(
        {}, [&](Scene& run) { copy_together<Orders<true>, Word>(run, into, 2); });
    EXPECT_EQ(result.failure, Result::Failure::kRace) << result.report;
  }
}

// Of a filled loan the borrower writes again what the lender has not read yet.
TEST(SharedCopyCanary, PartsThatAreNotPublishedAreARace) {
  for (const auto into : kBothWays<Orders<false>>) {
    const Result result =
        interleave::explore({}, [&](Scene& run) { copy_together<Orders<false>>(run, into, 2); });
    EXPECT_EQ(result.failure, Result::Failure::kRace) << result.report;
  }
}

}  // namespace
}  // namespace postroom
