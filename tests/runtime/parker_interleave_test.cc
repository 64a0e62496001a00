// A parker, its owner and those who wake it under every interleaving within bounds and many random
// ones: no wake-up is lost, whether the sleep has an end or not, and whether it is over; and
// canaries without a fence or without the lock.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "runtime/parker.h"
#include "tests/interleave/checked.h"
#include "tests/interleave/interleave.h"

namespace postroom {
namespace {

using interleave::Checked;
using interleave::Options;
using interleave::Result;
using Failure = interleave::Result::Failure;
using Instant = std::chrono::steady_clock::time_point;

constexpr auto kRelaxed = std::memory_order_relaxed;

// The sleeper's fence does not reach the waker.
struct FenceOfTheSleeperOnly : Checked {
  static void heavy_fence() noexcept { fence(std::memory_order_seq_cst); }
};
// A waker that has taken the announcement away may notify before the sleeper has fallen asleep.
struct LockOfNothing : Checked {
  struct Mutex {
    void lock() noexcept {}
    void unlock() noexcept {}
  };
};

/// How the owner sleeps.
enum class Sleep {
  kWithoutEnd,
  kUntilNever,  ///< with an end that does not come
  kUntilNow,    ///< with one that has come
  kInTurns,     ///< one after the other
};

constexpr Sleep kSleeps[] = {Sleep::kWithoutEnd, Sleep::kUntilNever, Sleep::kUntilNow,
                             Sleep::kInTurns};

template <class Atomics>
void park(Parker<Atomics>& parker, Sleep sleep, unsigned turn) {
  if (sleep == Sleep::kInTurns) sleep = kSleeps[turn % 3];
  if (sleep == Sleep::kWithoutEnd) return parker.park();
  parker.park_until(sleep == Sleep::kUntilNow ? Instant() : Instant(std::chrono::hours(1)));
}

struct Cast {
  unsigned wakers = 1;
  unsigned news = 2;      ///< of each waker
  bool asks_all = false;  ///< wakers ask the group whether anybody sleeps
};

/// The owner sleeps until all wakers have told all their news.
template <class Atomics>
interleave::Scenario sleeping(Sleep sleep, const Cast& cast) {
  return [=](interleave::Run& run) {
    Sleepers<Atomics> group;
    Parker<Atomics> parker(group);
    std::vector<typename Atomics::template Atomic<unsigned>> told(cast.wakers);
    run.thread(
        [&] {
          const auto all_told = [&](unsigned count) {
            for (const auto& one : told) {
              if (one.load(kRelaxed) < count) return false;
            }
            return true;
          };
          unsigned turn = 0;
          for (unsigned n = 1; n <= cast.news; ++n) {
            while (!all_told(n)) {
              parker.prepare();
              if (all_told(n)) {
                parker.cancel();
              } else {
                park(parker, sleep, turn++);
              }
              // Whoever sleeps for no longer than an instant looks now and then.
              if (sleep == Sleep::kUntilNow || sleep == Sleep::kInTurns) Atomics::yield();
            }
          }
        },
        "owner");
    for (auto& one : told) {
      run.thread(
          [&] {
            for (unsigned n = 1; n <= cast.news; ++n) {
              one.store(n, kRelaxed);
              if (!cast.asks_all || group.any()) parker.wake();
            }
          },
          "waker");
    }
    run.after([&] { interleave::check(!group.any(), "nobody sleeps any more"); });
  };
}

/// What exploring finds; both modes must find the same, the systematic one to the end.
template <class Atomics>
Failure explored(Sleep sleep, const Cast& cast) {
  const interleave::Scenario scenario = sleeping<Atomics>(sleep, cast);
  const Result random = interleave::explore({.executions = 5'000}, scenario);
  const Result systematic = interleave::explore(
      {.mode = Options::Mode::kSystematic, .executions = 300'000, .preemptions = 2}, scenario);
  EXPECT_EQ(random.failure, systematic.failure) << random.report << systematic.report;
  EXPECT_TRUE(!systematic.ok() || systematic.complete) << "gave up";
  return systematic.failure;
}

class ParkerInterleaved : public testing::TestWithParam<Sleep> {};

TEST_P(ParkerInterleaved, NoWakeUpIsLost) {
  EXPECT_EQ(explored<Checked>(GetParam(), {}), Failure::kNone);
  EXPECT_EQ(explored<Checked>(GetParam(), {.asks_all = true}), Failure::kNone);
}

TEST_P(ParkerInterleaved, NorWithTwoWakers) {
  EXPECT_EQ(explored<Checked>(GetParam(), {.wakers = 2, .news = 1}), Failure::kNone);
}

std::string name_of(const testing::TestParamInfo<Sleep>& sleep) {
  constexpr const char* kNames[] = {"WithoutEnd", "UntilNever", "UntilNow", "InTurns"};
  return kNames[static_cast<std::size_t>(sleep.param)];
}

INSTANTIATE_TEST_SUITE_P(Sleeps, ParkerInterleaved, testing::ValuesIn(kSleeps), name_of);

TEST(ParkerCanary, IsLostWithoutTheWakersFence) {
  EXPECT_EQ(explored<FenceOfTheSleeperOnly>(Sleep::kWithoutEnd, {}), Failure::kDeadlock);
  EXPECT_EQ(explored<FenceOfTheSleeperOnly>(Sleep::kUntilNever, {}), Failure::kDeadlock);
}

TEST(ParkerCanary, IsLostWithoutTheLockWhereASleepHasAnEnd) {
  EXPECT_EQ(explored<LockOfNothing>(Sleep::kUntilNever, {}), Failure::kDeadlock);
  EXPECT_EQ(explored<LockOfNothing>(Sleep::kWithoutEnd, {}), Failure::kNone);
}

}  // namespace
}  // namespace postroom
