// What exploring promises: it tries every interleaving within its bounds, lets spinning threads go
// on when they should, and brings a failure back.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/interleave/checked.h"
#include "tests/interleave/interleave.h"

namespace postroom {
namespace {

using interleave::check;
using interleave::Checked;
using interleave::explore;
using interleave::Options;
using interleave::Result;
using interleave::Scenario;
using Failure = interleave::Result::Failure;
using Int = Checked::Atomic<int>;

constexpr auto kRelaxed = std::memory_order_relaxed;
constexpr auto kSystematic = Options::Mode::kSystematic;

// --- Checked types take the place of the real ones without moving anything.

static_assert(sizeof(Checked::Atomic<std::uint32_t>) == sizeof(std::atomic<std::uint32_t>));
static_assert(sizeof(Checked::Atomic<void*>) == sizeof(std::atomic<void*>));
static_assert(alignof(Checked::Atomic<std::uint64_t>) == alignof(std::atomic<std::uint64_t>));
static_assert(sizeof(Checked::Plain<char>) == 1);

// --- The interleavings.

/// `threads` threads that each make `steps` steps on an atomic of their own.
Scenario independent_steps(int threads, int steps) {
  return [=](interleave::Run& run) {
    std::vector<std::unique_ptr<Int>> own;
    for (int t = 0; t < threads; ++t) {
      own.push_back(std::make_unique<Int>(0));
      run.thread([&own, t, steps] {
        for (int i = 1; i <= steps; ++i) own[t]->store(i);
      });
    }
    run.after();
  };
}

TEST(Systematic, TriesEveryInterleavingOnce) {
  const auto executions = [](int threads, int steps, int preemptions) {
    const Result result = explore({.mode = kSystematic, .preemptions = preemptions},
                                  independent_steps(threads, steps));
    EXPECT_TRUE(result.ok() && result.complete) << result.report;
    return result.executions;
  };
  constexpr int kUnbounded = 100;
  EXPECT_EQ(executions(1, 5, kUnbounded), 1);
  EXPECT_EQ(executions(2, 2, kUnbounded), 6);   // 4! / (2! 2!)
  EXPECT_EQ(executions(2, 4, kUnbounded), 70);  // 8! / (4! 4!)
  EXPECT_EQ(executions(3, 2, kUnbounded), 90);  // 6! / (2! 2! 2!)
  EXPECT_EQ(executions(4, 1, kUnbounded), 24);  // 4!
  EXPECT_EQ(executions(2, 4, 0), 2);            // one thread after the other
  EXPECT_EQ(executions(2, 4, 1), 2 + 2 * 3);    // or left once, before step 2, 3 or 4
}

TEST(Systematic, TriesEveryStoreThatALoadMayReturn) {
  std::vector<int> seen(6, 0);
  const auto scenario = [&](interleave::Run& run) {
    Int x{0};
    int loaded = -1;
    run.thread([&] {
      for (int i = 1; i <= 5; ++i) x.store(i, kRelaxed);
    });
    run.thread([&] { loaded = x.load(kRelaxed); });
    run.after([&] { ++seen[loaded]; });
  };
  // Without preemptions the load comes before all stores or after them.
  const auto explored = [&](int stale_loads, int history) {
    seen.assign(6, 0);
    const Result result = explore(
        {.mode = kSystematic, .preemptions = 0, .stale_loads = stale_loads, .history = history},
        scenario);
    EXPECT_TRUE(result.complete);
    return seen;
  };
  EXPECT_EQ(explored(1, 8), (std::vector{2, 1, 1, 1, 1, 1}));
  EXPECT_EQ(explored(0, 8), (std::vector{1, 0, 0, 0, 0, 1}));
  EXPECT_EQ(explored(1, 3), (std::vector{1, 0, 0, 1, 1, 1}));
}

TEST(Systematic, BoundsTheStaleLoadsOfAnExecution) {
  const auto both_stale = [](int stale_loads) {
    return explore({.mode = kSystematic, .preemptions = 0, .stale_loads = stale_loads},
                   [](interleave::Run& run) {
                     Int x{0};
                     int sum = 0;
                     bool stored = false;
                     run.thread([&] {
                       x.store(1, kRelaxed);
                       stored = true;
                     });
                     run.thread([&] {
                       if (!stored) return;
                       sum = x.load(kRelaxed);
                       sum += x.load(kRelaxed);
                       check(sum != 0, "two stale loads");
                     });
                     run.after();
                   });
  };
  EXPECT_TRUE(both_stale(1).complete);
  EXPECT_EQ(both_stale(2).failure, Failure::kCheck);
}

TEST(Systematic, SaysWhenItDidNotComeToTheEnd) {
  const Options options{.mode = kSystematic, .executions = 69, .preemptions = 100};
  const Result result = explore(options, independent_steps(2, 4));
  EXPECT_TRUE(result.ok());
  EXPECT_FALSE(result.complete);
  EXPECT_EQ(result.executions, 69);
}

TEST(Systematic, NoticesAScenarioThatIsNotTheSameEachTime) {
  int calls = 0;
  const Result result = explore({.mode = kSystematic}, [&](interleave::Run& run) {
    Int x{0};
    const int threads = ++calls == 2 ? 3 : 2;
    for (int t = 0; t < threads; ++t) run.thread([&] { x.fetch_add(1); });
    run.after();
  });
  EXPECT_EQ(result.failure, Failure::kMisuse) << result.report;
}

// --- Spinning threads: when they go on again.

/// T1 spins until T2 has changed x, then tells T3. Whether T3 can learn of it right after T1 has
/// looked in vain, without a preemption: T1 must be ready as soon as there is news for it.
bool spinner_goes_on_at_once(bool by_store, bool looks_at_old_value) {
  const Result result =
      explore({.mode = kSystematic, .preemptions = 0, .stale_loads = looks_at_old_value ? 1 : 0},
              [=](interleave::Run& run) {
                Int x{0}, seen{0};
                bool changed = false, in_vain = false;
                run.thread([&] {
                  while (x.load(kRelaxed) == 0) {
                    in_vain |= changed == looks_at_old_value;
                    Checked::pause();
                  }
                  seen.store(1);
                });
                run.thread([&] {
                  by_store ? x.store(1) : void(x.exchange(1));
                  changed = true;
                });
                run.thread([&] { check(!(in_vain && seen.load() == 1), "T3 knows"); });
                run.after();
              });
  return result.failure == Failure::kCheck;
}

TEST(Spinning, EndsWhenSomethingChanges) {
  EXPECT_TRUE(spinner_goes_on_at_once(true, false));
  EXPECT_TRUE(spinner_goes_on_at_once(false, false));
}

TEST(Spinning, DoesNotBeginAfterAStaleLoad) { EXPECT_TRUE(spinner_goes_on_at_once(true, true)); }

TEST(Spinning, MayBeForNothing) {
  // T1 goes on though nothing has changed, and then is a thread like any other.
  const Result result =
      explore({.mode = kSystematic, .preemptions = 1, .stale_loads = 0}, [](interleave::Run& run) {
        Int x{0};
        int sum = 0;
        run.thread([&] {
          Checked::pause();
          sum = x.load();
          sum += x.load();
        });
        run.thread([&] { x.store(1); });
        run.after([&] { check(sum != 0, "T1 came first"); });
      });
  EXPECT_EQ(result.failure, Failure::kCheck);
}

TEST(Spinning, ShowsOnlyWhatTheLoopLookedAt) {
  // T2 knows that y was stored, and yields; x, stored before y, may be unknown to it all the same.
  const Result result = explore({}, [](interleave::Run& run) {
    Int x{0}, y{0};
    run.thread([&] {
      x.store(1, kRelaxed);
      y.store(1, kRelaxed);
    });
    run.thread([&] {
      if (y.load(kRelaxed) == 0) return;
      Checked::yield();
      check(x.load(kRelaxed) == 1, "stale");
    });
    run.after();
  });
  EXPECT_EQ(result.failure, Failure::kCheck) << result.report;
}

// --- Replay.

/// Fails in a few interleavings only.
void three_in_order(interleave::Run& run) {
  Int x{0};
  for (int t = 3; t >= 1; --t) {
    run.thread([&, t] {
      int expected = t - 1;
      x.compare_exchange_strong(expected, t, kRelaxed);
    });
  }
  run.after([&] { check(x.load() != 3, "3"); });
}

TEST(Replay, BringsTheFailureBack) {
  for (const Options::Mode mode : {Options::Mode::kRandom, kSystematic}) {
    Options options{.mode = mode, .executions = 100'000};
    const Result first = explore(options, three_in_order);
    ASSERT_EQ(first.failure, Failure::kCheck);
    EXPECT_GT(first.executions, 1);
    options.replay = first.replay;
    const Result second = explore(options, three_in_order);
    EXPECT_EQ(second.failure, Failure::kCheck);
    EXPECT_EQ(second.executions, 1);
    const auto steps = [](const std::string& report) {
      return report.substr(report.find("steps"));
    };
    EXPECT_EQ(steps(first.report), steps(second.report));
  }
}

TEST(Replay, TheSameSeedsGiveTheSameExecutions) {
  const auto executions_until_failure = [](std::uint64_t seed) {
    return explore({.executions = 100'000, .seed = seed}, three_in_order).executions;
  };
  EXPECT_EQ(executions_until_failure(5), executions_until_failure(5));
}

// --- Arguments.

void expect_refused(const Options& options, const std::string& words) {
  try {
    explore(options, three_in_order);
    FAIL() << "not refused: " << words;
  } catch (const std::invalid_argument& error) {
    EXPECT_EQ(error.what(), words);
  }
}

TEST(ExploreOptions, AreRefusedInOneLine) {
  expect_refused({.executions = 0}, "executions: 0 is not allowed; at least 1");
  expect_refused({.preemptions = -1}, "preemptions: -1 is not allowed; at least 0");
  expect_refused({.stale_loads = -1}, "stale_loads: -1 is not allowed; at least 0");
  expect_refused({.history = 1}, "history: 1 is not allowed; 2 to 32");
  expect_refused({.history = 33}, "history: 33 is not allowed; 2 to 32");
  expect_refused({.max_steps = 0}, "max_steps: 0 is not allowed; at least 1");
  expect_refused({.idle_turns = 0}, "idle_turns: 0 is not allowed; at least 1");
  expect_refused({.replay = "seed:"},
                 "replay: 'seed:' is not allowed; seed:NUMBER or path:DIGITS from a report");
  expect_refused({.replay = "42"},
                 "replay: '42' is not allowed; seed:NUMBER or path:DIGITS from a report");
  expect_refused({.replay = "path:01X"},
                 "replay: 'X' is not allowed in a path; digits and small letters are");
}

TEST(ExploreOptions, OneExplorationAtATime) {
  const Result result = explore({}, [](interleave::Run& run) {
    run.thread([] { explore({}, three_in_order); });
    run.after();
  });
  EXPECT_EQ(result.failure, Failure::kException) << result.report;
}

}  // namespace
}  // namespace postroom
