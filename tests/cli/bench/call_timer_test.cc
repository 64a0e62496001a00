// How calls are timed: how many, with which data, and that a wrong result is seen. Nothing depends
// on how long they take.
#include "cli/bench/call_timer.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "cli/bench/buffer_ring.h"
#include "cli/simulate/simulated_operations.h"
#include "runtime/postal_clock.h"

namespace postroom::cli {
namespace {

using namespace std::chrono_literals;

constexpr int kProcessors = 3;

/// What processor 0 sees of an operation that does nothing.
struct Seen {
  bool prepared = false;  // since the last call
  int called = 0;
  int checked = 0;
  bool in_order = true;
  std::set<std::uint64_t> turns;
  std::vector<const OperationData*> lists;  // of each call
};
Seen seen;  // written by processor 0 alone

SimulatedOperation watched() {
  SimulatedOperation operation = simulated_operation("barrier");
  operation.prepare = [](const OperationTurn& turn, OperationData& data) {
    if (turn.me != 0) return;
    seen.lists.push_back(&data);
    seen.prepared = true;
    seen.turns.insert(turn.turn);
  };
  operation.call = [](Processor& self, const OperationTurn&, OperationData&, const Algorithm&) {
    if (self.id() != 0) return;
    ++seen.called;
    seen.in_order = seen.in_order && seen.prepared;
    seen.prepared = false;
  };
  operation.right = [](const OperationTurn& turn, const OperationData&) {
    if (turn.me == 0) ++seen.checked;
    return true;
  };
  return operation;
}

TEST(CallTimer, MakesAsManyCallsAsWanted) {
  seen = {};
  const SimulatedOperation operation = watched();
  CallTimer timer({.processors = kProcessors});
  const TimedCalls calls{.operation = &operation, .warm_up = 4, .iterations = 7, .limit = 100s};
  EXPECT_EQ(timer.time(calls).size(), 7u);
  EXPECT_EQ(seen.called, 11);
  EXPECT_EQ(seen.checked, 11);
  EXPECT_EQ(timer.time(calls).size(), 7u);
  EXPECT_EQ(seen.called, 22);
  EXPECT_TRUE(seen.in_order);
  EXPECT_GE(seen.turns.size(), 22u);  // new data for each, also in the second run
}

TEST(CallTimer, ListsTakeTurns) {
  seen = {};
  const SimulatedOperation operation = watched();
  CallTimer timer({.processors = kProcessors});
  timer.time({.operation = &operation, .iterations = 40, .limit = 100s});
  EXPECT_EQ(std::set<const OperationData*>(seen.lists.begin(), seen.lists.end()).size(),
            kMostBufferSets);
  for (std::size_t i = 1; i < seen.lists.size(); ++i) EXPECT_NE(seen.lists[i], seen.lists[i - 1]);
}

TEST(BufferRing, FillsTheCachesButNoMore) {
  EXPECT_GT(ring_bytes(), 0u);
  EXPECT_EQ(buffer_sets(0), kMostBufferSets);
  EXPECT_EQ(buffer_sets(1), kMostBufferSets);
  EXPECT_EQ(buffer_sets(ring_bytes() / 4), 5u);
  EXPECT_EQ(buffer_sets(ring_bytes() + 1), 1u);
}

TEST(CallTimer, OneCallCountsWhenTheTimeIsUp) {
  seen = {};
  const SimulatedOperation operation = watched();
  CallTimer timer({.processors = kProcessors});
  EXPECT_EQ(timer.time({.operation = &operation, .warm_up = 1000, .iterations = 1000, .limit = 0ns})
                .size(),
            1u);
  EXPECT_EQ(seen.called, 1);
}

TEST(CallTimer, ChecksOnlyWhenWanted) {
  seen = {};
  const SimulatedOperation operation = watched();
  CallTimer timer({.processors = kProcessors});
  timer.time({.operation = &operation, .iterations = 3, .limit = 100s, .check = false});
  EXPECT_EQ(seen.called, 3);
  EXPECT_EQ(seen.checked, 0);
}

TEST(CallTimer, AWrongResultNamesTheProcessor) {
  SimulatedOperation wrong = simulated_operation("allreduce");
  wrong.right = [](const OperationTurn& turn, const OperationData&) { return turn.me != 2; };
  CallTimer timer({.processors = kProcessors});
  try {
    timer.time({.operation = &wrong, .iterations = 3});
    FAIL() << "nothing was seen";
  } catch (const std::logic_error& error) {
    EXPECT_STREQ(error.what(), "allreduce by automatic: processor 2 got a wrong result");
  }
}

TEST(CallTimer, EveryOperationOnEveryKindOfMachine) {
  const auto held_back = std::make_shared<PostalClock>(2, 10us);
  for (const MachineOptions& options :
       {MachineOptions{.processors = kProcessors}, MachineOptions{.processors = 2, .pin = false},
        MachineOptions{.processors = 9, .clock = held_back}}) {
    CallTimer timer(options);
    for (const SimulatedOperation& operation : simulated_operations()) {
      const auto samples = timer.time({.operation = &operation,
                                       .block_bytes = 24,
                                       .warm_up = 1,
                                       .iterations = 2,
                                       .limit = 100s});
      EXPECT_EQ(samples.size(), 2u) << operation.name;
      for (const double ns : samples) EXPECT_GE(ns, 0) << operation.name;
    }
  }
}

TEST(CallTimer, RefusalsOfTheOperationPass) {
  CallTimer timer({.processors = kProcessors});
  EXPECT_THROW(timer.time({.operation = &simulated_operation("allgather"),
                           .algorithm = Algorithm::recursive_doubling}),
               std::invalid_argument);
  // And the machine goes on.
  EXPECT_EQ(timer.time({.operation = &simulated_operation("scan")}).size(), 1u);
}

}  // namespace
}  // namespace postroom::cli
