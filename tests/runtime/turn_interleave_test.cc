// A turn under every interleaving within bounds and many random ones: one thread at a time is at
// work, sees what the one before did, and nobody sleeps for ever; and canaries with weakened
// orders.
#include <gtest/gtest.h>

#include <atomic>
#include <mutex>

#include "runtime/turn.h"
#include "tests/interleave/checked.h"
#include "tests/interleave/interleave.h"
#include "tests/interleave/weakened.h"

namespace postroom {
namespace {

using interleave::Checked;
using interleave::NoRelease;
using interleave::Options;
using interleave::Result;
using Failure = interleave::Result::Failure;
using Scene = interleave::Run;

/// Whoever gets the lock sees nothing of what was done before.
struct LocksRelaxed : Checked {
  template <class T>
  class Atomic : public Checked::Atomic<T> {
   public:
    using Checked::Atomic<T>::Atomic;
    bool compare_exchange_strong(T& expected, T desired, std::memory_order, std::memory_order,
                                 Where where = Where::current()) noexcept {
      return Checked::Atomic<T>::compare_exchange_strong(
          expected, desired, std::memory_order_relaxed, std::memory_order_relaxed, where);
    }
  };
};

template <class Atomics>
interleave::Scenario counting(int threads, int times) {
  return [=](Scene& scene) {
    Turn<Atomics> turn;
    int count = 0;
    int refused = 0;
    const auto add = [](int& to) {
      Checked::reads(&to, sizeof(to));
      Checked::writes(&to, sizeof(to));
      ++to;
    };
    for (int t = 0; t < threads; ++t) {
      scene.thread([&] {
        for (int i = 0; i < times; ++i) {
          const std::lock_guard lock(turn);
          add(count);
        }
      });
    }
    // One who does without where somebody is at work.
    scene.thread([&] {
      for (const bool anew : {false, true}) {
        if (anew ? turn.try_lock_anew() : turn.try_lock()) {
          add(count);
          turn.unlock();
        } else {
          ++refused;
        }
      }
    });
    scene.after([&] {
      interleave::check(count + refused == threads * times + 2, "nobody's work is lost");
      interleave::check(!turn.is_locked() && !turn.is_inherited(), "nobody is at work");
    });
  };
}

TEST(TurnInterleaving, OneIsAtWorkAtATime) {
  const Result smallest = interleave::explore(
      {.mode = Options::Mode::kSystematic, .executions = 2'000'000}, counting<Checked>(1, 1));
  EXPECT_TRUE(smallest.ok()) << smallest.report;
  EXPECT_TRUE(smallest.complete) << smallest.executions;
  for (const Options& options :
       {Options{.executions = 20'000},
        Options{.mode = Options::Mode::kSystematic, .executions = 100'000}}) {
    for (const int threads : {2, 3}) {
      const Result result = interleave::explore(options, counting<Checked>(threads, 2));
      EXPECT_TRUE(result.ok()) << result.report;
      EXPECT_GT(result.executions, 1000);
    }
  }
}

TEST(TurnCanary, AnUnlockThatPublishesNothingIsARace) {
  EXPECT_EQ(interleave::explore({}, counting<NoRelease>(2, 1)).failure, Failure::kRace);
}

TEST(TurnCanary, ALockThatTakesNothingInIsARace) {
  EXPECT_EQ(interleave::explore({}, counting<LocksRelaxed>(2, 1)).failure, Failure::kRace);
}

}  // namespace
}  // namespace postroom
