// Threads that are started for two runs and to end, under every interleaving within bounds and many
// random ones: all see the program of each run, thread 0 sees what they did, and nobody sleeps for
// ever, though only the one above a thread wakes it; and canaries with weakened orders, and without
// the wakes.
#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/parker.h"
#include "runtime/roll_call.h"
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
using Failure = interleave::Result::Failure;
using Scene = interleave::Run;

/// What thread 0 hears is published no longer.
struct ArrivesRelaxed : Checked {
  template <class T>
  class Atomic : public Checked::Atomic<T> {
   public:
    using Checked::Atomic<T>::Atomic;
    T fetch_add(T operand, std::memory_order, Where where = Where::current()) noexcept {
      return Checked::Atomic<T>::fetch_add(operand, std::memory_order_relaxed, where);
    }
  };
};

/// Each run, the other threads answer what thread 0 has written; a program of -1 ends them.
template <class Atomics, int kWakesEach>
class Threads {
 public:
  Threads(int threads, bool all_wake, const WaitPolicy& policy)
      : all_wake_(all_wake),
        policy_(policy),
        parkers_(static_cast<std::size_t>(threads)),
        answers_(static_cast<std::size_t>(threads)) {}

  void lead(int runs) {
    wait(calls_.all_arrived(others()), 0);
    for (int run = 1; run <= runs; ++run) {
      start(run);
      wait(calls_.all_arrived(others()), 0);
      for (std::size_t t = 1; t < answers_.size(); ++t) {
        Checked::reads(&answers_[t], sizeof(int));
        interleave::check(answers_[t] == run, "all have run the program");
      }
    }
    start(-1);
  }

  void serve(int thread) {
    for (std::uint32_t start = 1;; ++start) {
      calls_.arrive();
      parkers_[0].wake();
      wait(calls_.started(start), thread);
      if (all_wake_) wake_below(thread);
      Checked::reads(&program_, sizeof(program_));
      if (program_ == -1) return;
      int& answer = answers_[static_cast<std::size_t>(thread)];
      Checked::writes(&answer, sizeof(int));
      answer = program_;
    }
  }

 private:
  using Calls = RollCall<Atomics, kWakesEach>;

  std::size_t others() const { return answers_.size() - 1; }
  void start(int program) {
    Checked::writes(&program_, sizeof(program_));
    program_ = program;
    calls_.start();
    wake_below(0);
  }
  void wake_below(int thread) {
    Calls::wake_below(thread, static_cast<int>(answers_.size()),
                      [&](int t) { parkers_[static_cast<std::size_t>(t)].wake(); });
  }
  template <class Awaited>
  void wait(const Awaited& awaited, int thread) {
    await(awaited, policy_, parkers_[static_cast<std::size_t>(thread)]);
  }

  bool all_wake_;
  WaitPolicy policy_;
  Calls calls_;
  std::vector<Parker<Checked>> parkers_;
  std::vector<int> answers_;
  int program_ = 0;
};

struct Cast {
  int threads = 2;
  int runs = 1;
  WaitPolicy policy = kParks;
  bool all_wake = true;  ///< not only thread 0
};

/// Each wakes one: a chain.
template <class Atomics>
interleave::Scenario at_work(const Cast& cast) {
  return [=](Scene& scene) {
    Threads<Atomics, 1> all(cast.threads, cast.all_wake, cast.policy);
    scene.thread([&] { all.lead(cast.runs); }, "thread 0");
    for (int t = 1; t < cast.threads; ++t) scene.thread([&all, t] { all.serve(t); }, "other");
    scene.after();
  };
}

Options systematic(int executions) {
  return {.mode = Options::Mode::kSystematic, .executions = executions};
}

TEST(RollCallInterleaving, EveryInterleavingOfTwoThreads) {
  for (const WaitPolicy& policy : {kSpins, kParks}) {
    const Result result =
        interleave::explore(systematic(2'000'000), at_work<Checked>({.policy = policy}));
    EXPECT_TRUE(result.ok()) << result.report;
    EXPECT_TRUE(result.complete) << result.executions;
  }
}

TEST(RollCallInterleaving, SeveralRunsOfUpToFourThreads) {
  for (const Options& options : {Options{.executions = 10'000}, systematic(50'000)}) {
    for (const int threads : {2, 3, 4}) {
      for (const WaitPolicy& policy : {kSpins, kParks}) {
        const Result result = interleave::explore(
            options, at_work<Checked>({.threads = threads, .runs = 2, .policy = policy}));
        EXPECT_TRUE(result.ok()) << result.report;
        EXPECT_GT(result.executions, 1000);
      }
    }
  }
}

TEST(RollCallCanary, AStartThatPublishesNothingIsARace) {
  EXPECT_EQ(interleave::explore({}, at_work<NoRelease>({})).failure, Failure::kRace);
  EXPECT_EQ(interleave::explore({}, at_work<NoAcquire>({})).failure, Failure::kRace);
}

TEST(RollCallCanary, AnArrivalThatPublishesNothingIsARace) {
  EXPECT_EQ(interleave::explore({}, at_work<ArrivesRelaxed>({})).failure, Failure::kRace);
}

TEST(RollCallCanary, WhomNobodyWakesSleepsForEver) {
  const Result result =
      interleave::explore({}, at_work<Checked>({.threads = 3, .all_wake = false}));
  EXPECT_EQ(result.failure, Failure::kDeadlock) << result.report;
}

TEST(RollCall, EachOfAnyNumberIsWokenByOneThatIsAwakeBefore) {
  for (const int threads : {1, 2, 3, 8, 9, 10, 73, 74, 256, 100'000}) {
    std::vector<int> woken(static_cast<std::size_t>(threads));
    for (int t = 0; t < threads; ++t) {
      RollCall<>::wake_below(t, threads, [&](int below) {
        EXPECT_LT(t, below);
        ++woken[static_cast<std::size_t>(below)];
      });
    }
    EXPECT_EQ(woken[0], 0);
    for (std::size_t t = 1; t < woken.size(); ++t) EXPECT_EQ(woken[t], 1) << t;
  }
}

}  // namespace
}  // namespace postroom
