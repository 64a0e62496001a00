// What the routers cost is what the trace counts, on the wall clock and in models.
#include "collectives/route_cost.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "collectives/algorithm.h"
#include "collectives/alltoall.h"
#include "collectives/models/cost.h"
#include "collectives/models/time_model.h"
#include "collectives/route.h"
#include "numa/topology.h"
#include "runtime/machine.h"
#include "runtime/postal_parameters.h"
#include "runtime/virtual_clock.h"
#include "tests/collectives/route_patterns.h"

namespace postroom {
namespace {

class RouteCost : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Processors, RouteCost, ::testing::ValuesIn(kRouteCounts));

Cost traced(const Machine& machine) {
  return {machine.trace().rounds(), static_cast<std::int64_t>(machine.trace().volume())};
}

// Where the transposes go by tiles, processors are not in step: the end of one falls into rounds of
// the next, and their largest messages add up to a little more.
bool is_tiled(int p, const Relation& relation) {
  const auto goes_by_tiles = [&](std::size_t bound) {
    const std::size_t bytes = RouteBlockLayout::of<Tagged>(p, bound).bytes;
    return choose_alltoall(p, static_cast<std::int64_t>(bytes)) == Algorithm::tiled;
  };
  return goes_by_tiles(first_bin_bound(relation.most_sent, p)) ||
         goes_by_tiles(second_bin_bound(relation.most_received, p));
}

void expect_transposes(const Cost& traced, const Cost& cost, bool tiled) {
  EXPECT_EQ(traced.rounds, cost.rounds);
  EXPECT_GE(traced.bytes, cost.bytes);
  EXPECT_LE(traced.bytes, tiled ? cost.bytes * 9 / 8 : cost.bytes);
}

void expect_costs_of_traces(int p, const std::shared_ptr<const Topology>& box) {
  Machine machine({.processors = p, .topology = box, .trace = true});
  for (const Pattern& pattern : all_patterns(p, kRouteSeed)) {
    const TaggedLists elements = elements_of(pattern);
    const Relation relation{pattern.most_sent(), pattern.most_received()};
    const auto run = [&](const RouteOptions& options) {
      machine.run([&](Processor& self) {
        const auto id = static_cast<std::size_t>(self.id());
        (void)route(self, elements[id], pattern.targets[id], options);
      });
      return traced(machine);
    };
    const Cost two_transpose = route_two_transpose_cost<Tagged>(p, relation);
    const bool tiled = is_tiled(p, relation);
    SCOPED_TRACE(pattern.name);
    expect_transposes(run({Algorithm::two_transpose, relation}), two_transpose, tiled);
    expect_transposes(run({Algorithm::two_transpose}), find_relation_cost(p) + two_transpose,
                      tiled);
    EXPECT_EQ(run({Algorithm::one_phase}),
              route_one_phase_cost(p, pattern.counts(), sizeof(Tagged)))
        << pattern.name;
    EXPECT_EQ(run({Algorithm::direct}), route_direct_cost(p)) << pattern.name;
  }
}

// In a model the transposes are those that are chosen in it, whatever the CPUs of the box are.
TEST_P(RouteCost, CostInAModelIsWhatTheTraceCounts) {
  const int p = GetParam();
  for (const PostalParameters& parameters :
       {PostalParameters{.lambda = 1}, PostalParameters{.lambda = 7, .ports = 2},
        PostalParameters{.lambda = Rational(9, 5), .unit_bytes = 64}}) {
    Machine machine(
        {.processors = p, .clock = std::make_shared<VirtualClock>(parameters), .trace = true});
    const TimeModel model = TimeModel::of(parameters, p);
    for (const Pattern& pattern : all_patterns(p, kRouteSeed)) {
      const TaggedLists elements = elements_of(pattern);
      const std::vector<std::uint64_t> counts = pattern.counts();
      for (const Algorithm& router : {Algorithm::two_transpose, Algorithm::one_phase}) {
        machine.run([&](Processor& self) {
          const auto id = static_cast<std::size_t>(self.id());
          (void)route(self, elements[id], pattern.targets[id], router);
        });
        EXPECT_EQ(traced(machine), route_cost(p, counts, RouteBytes::of<Tagged>(), router, &model))
            << router << ", " << pattern.name << ", lambda "
            << to_string(parameters.lambda.of_ends(p));
      }
    }
  }
}

// On this box, and on one where many processors are near each other and have several third caches.
TEST_P(RouteCost, CostIsWhatTheTraceCounts) {
  const auto caches =
      std::make_shared<const Topology>(Topology::synthetic("package:1 l3:4 core:4 pu:1"));
  for (const auto& box : {std::shared_ptr<const Topology>(), caches}) {
    expect_costs_of_traces(GetParam(), box);
  }
}

// The property that [H] shows: the messages depend on h alone.
TEST(RouteCosts, TwoTransposeCostsTheSameForEveryPatternOfOneRelation) {
  const int p = 8;
  Machine machine({.processors = p, .trace = true});
  const Relation relation{40, 80};
  const auto cost_of = [&](const Pattern& pattern) {
    machine.run([&](Processor& self) {
      const auto& targets = pattern.targets[static_cast<std::size_t>(self.id())];
      (void)route(self, targets, targets, {Algorithm::two_transpose, relation});
    });
    return traced(machine);
  };
  const Cost even = cost_of(transpose_pattern(p, 5));
  EXPECT_EQ(cost_of(equation_7_pattern(p, 320, 80)), even);
  EXPECT_EQ(cost_of(empty_pattern(p)), even);
}

}  // namespace
}  // namespace postroom
