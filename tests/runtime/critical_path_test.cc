// What messages waited for: of traces written by hand, and of broadcasts whose times are known.
#include "runtime/critical_path.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <numeric>
#include <optional>
#include <vector>

#include "collectives/allreduce.h"
#include "collectives/broadcast.h"
#include "runtime/machine.h"
#include "runtime/trace.h"
#include "runtime/virtual_clock.h"

namespace postroom {
namespace {

using Path = std::vector<std::size_t>;
using Waited = std::vector<std::optional<std::size_t>>;

Trace::Message message(int source, int target, Time start, Time arrival, Time busy = 0) {
  return {source, target, 1, 1, start, arrival, busy, nullptr, {}};
}

TEST(CriticalPath, OfNoMessagesIsEmpty) {
  EXPECT_EQ(waited_for(Trace({}, 3)), Waited());
  EXPECT_EQ(critical_path(Trace({}, 3)), Path());
}

TEST(CriticalPath, GoesThroughArrivalsAndPortsThatWereBusy) {
  // 0 sends to 1, then to 2; 2 sends on to 3 as soon as it can, 1 some time later.
  const Trace trace({message(0, 1, 0, 3, 1), message(0, 2, 1, 4, 1), message(1, 0, 5, 8, 1),
                     message(2, 3, 4, 7, 1)});
  EXPECT_EQ(waited_for(trace), Waited({std::nullopt, 0, 0, 1}));
  EXPECT_EQ(critical_path(trace), Path({0, 2}));
}

TEST(CriticalPath, WhatIsUnderWayOrComesLaterIsNotWaitedFor) {
  const Trace trace({message(0, 1, 0, 10, 1), message(1, 0, 9, 12, 1), message(1, 2, 10, 13, 1)});
  EXPECT_EQ(waited_for(trace), Waited({std::nullopt, std::nullopt, 0}));
}

TEST(CriticalPath, AnArrivalComesBeforeASendThatEndsAtTheSameTime) {
  const Trace trace({message(0, 1, 0, 3, 3), message(1, 0, 1, 3, 2), message(1, 2, 3, 5, 1)});
  EXPECT_EQ(waited_for(trace).back(), 0);
}

TEST(CriticalPath, MessagesThatTakeNoTimeDoNotWaitForEachOther) {
  // As a clock that is too coarse sees them; the third is to its sender itself.
  const Trace trace(
      {message(0, 1, 5, 5), message(1, 0, 5, 5), message(1, 1, 5, 5), message(1, 0, 6, 6)});
  const Waited waited = waited_for(trace);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(waited[i], std::nullopt) << i;
  EXPECT_TRUE(waited[3].has_value());
  EXPECT_EQ(critical_path(trace).size(), 2u);
}

/// The trace of `program` in virtual time.
Trace traced(int processors, const PostalParameters& parameters, const Machine::Program& program) {
  Machine machine({.processors = processors,
                   .threads = 1,
                   .clock = std::make_shared<VirtualClock>(parameters),
                   .trace = true});
  machine.run(program);
  return machine.trace();
}

// Nobody computes, so nothing stands still: each message starts when the one before it is there, or
// its port is free, and the path begins at 0.
void expect_no_gap(const Trace& trace) {
  const Path path = critical_path(trace);
  ASSERT_FALSE(path.empty());
  const auto& messages = trace.messages();
  Time now = 0;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const Trace::Message& m = messages[path[i]];
    EXPECT_EQ(m.start, now) << i;
    const bool is_on = i + 1 < path.size() && messages[path[i + 1]].source == m.source;
    now = is_on ? m.start + m.busy : m.arrival;
  }
  for (const Trace::Message& m : messages) EXPECT_LE(m.arrival, now);
}

TEST(CriticalPath, OfCollectivesHasNoGap) {
  for (const int ports : {1, 3}) {
    for (const int processors : {2, 5, 14, 64}) {
      const PostalParameters parameters{.lambda = Rational(5, 2), .ports = ports};
      for (const Algorithm& each : {Algorithm::binomial, Algorithm::lambda_tree(Rational(5, 2)),
                                    Algorithm::linear, Algorithm::flooding}) {
        expect_no_gap(traced(processors, parameters, [&](Processor& self) {
          int value = self.id();
          broadcast(self, 0, value, each);
        }));
      }
      expect_no_gap(traced(processors, parameters, [](Processor& self) {
        (void)allreduce(self, self.id(), std::plus<>(), Algorithm::reduce_broadcast);
      }));
    }
  }
}

}  // namespace
}  // namespace postroom
