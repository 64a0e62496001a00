// A copy that two sides make together, under every interleaving within bounds and many random ones;
// and a canary: when what was written is not published, it must be noticed.
#include <gtest/gtest.h>

#include "runtime/shared_copy.h"
#include "tests/interleave/checked.h"
#include "tests/interleave/interleave.h"

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

// The word of a loan: 2 n + 1 while copy n is open, 2 n + 2 when it is over; `posted` counts the
// messages. The same copy is used for one message after the other.
template <class Atomics>
void copy_together(Scene& run, int messages) {
  SharedCopy<Atomics> copy;
  Checked::Atomic<std::uint32_t> posted{0};
  Checked::Atomic<std::uint32_t> word{0};
  int from[kNumbers] = {};
  int to[kNumbers] = {};
  const auto value = [](int message, int i) { return 10 * message + i + 1; };
  run.thread(
      [&] {
        for (int message = 0; message < messages; ++message) {
          Atomics::writes(from, sizeof(from));
          for (int i = 0; i < kNumbers; ++i) from[i] = value(message, i);
          const auto use = static_cast<std::uint32_t>(2 * message);
          posted.store(static_cast<std::uint32_t>(message) + 1, std::memory_order_seq_cst);
          while (word.load(std::memory_order_seq_cst) < use + 1) Atomics::yield();
          if (word.load(std::memory_order_seq_cst) < use + 2) copy.help();
          while (word.load(std::memory_order_seq_cst) < use + 2) Atomics::yield();
        }
      },
      "sender");
  run.thread(
      [&] {
        for (int message = 0; message < messages; ++message) {
          const auto number = static_cast<std::uint32_t>(message);
          while (posted.load(std::memory_order_seq_cst) < number + 1) Atomics::yield();
          copy.open(reinterpret_cast<std::byte*>(to), reinterpret_cast<const std::byte*>(from),
                    sizeof(from), sizeof(int));
          word.store(2 * number + 1, std::memory_order_seq_cst);
          const std::uint32_t own = copy.copy_parts();
          while (!copy.complete(own)) Atomics::yield();
          Atomics::reads(to, sizeof(to));
          for (int i = 0; i < kNumbers; ++i) {
            interleave::check(to[i] == value(message, i), "every part was copied");
          }
          word.store(2 * number + 2, std::memory_order_seq_cst);
        }
      },
      "receiver");
  run.after();
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

TEST(SharedCopyCanary, PartsThatAreNotPublishedAreARace) {
  const Result result =
      interleave::explore({}, [](Scene& run) { copy_together<Orders<false>>(run, 1); });
  EXPECT_EQ(result.failure, Result::Failure::kRace) << result.report;
}

}  // namespace
}  // namespace postroom
