// Which router is taken: by itself on a box and in a model, by name, by options.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "collectives/algorithm.h"
#include "collectives/models/time_model.h"
#include "collectives/route.h"
#include "numa/topology.h"
#include "runtime/machine.h"
#include "runtime/postal_parameters.h"
#include "runtime/virtual_clock.h"
#include "tests/collectives/failing_processor.h"
#include "tests/collectives/route_patterns.h"
#include "tests/collectives/routers.h"

namespace postroom {
namespace {

class RouteChoice : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Processors, RouteChoice, ::testing::ValuesIn(kRouteCounts));

TEST(RouteChoices, AutomaticIsDirectInSharedMemory) {
  Machine machine({.processors = 2});
  machine.run([](Processor& self) {
    EXPECT_EQ(choose_route(self, {Algorithm::automatic}), Algorithm::direct);
    EXPECT_EQ(choose_route(self, {Algorithm::one_phase}), Algorithm::one_phase);
  });
}

TEST(RouteChoices, AutomaticIsTurnsWhereEightOrMoreShareThreads) {
  const auto chosen = [](const std::string& box, int processors, int threads) {
    Algorithm router = Algorithm::automatic;
    Machine({.processors = processors,
             .threads = threads,
             .pin = false,
             .topology = std::make_shared<const Topology>(Topology::synthetic(box))})
        .run([&](Processor& self) {
          if (self.id() == 0) router = choose_route(self, {});
        });
    return router;
  };
  EXPECT_EQ(chosen("core:2 pu:1", 8, 2), Algorithm::turns);
  EXPECT_EQ(chosen("core:2 pu:1", 8, 1), Algorithm::turns);
  EXPECT_EQ(chosen("core:2 pu:1", 1000, 2), Algorithm::turns);
  EXPECT_EQ(chosen("core:2 pu:1", 7, 2), Algorithm::direct);
  EXPECT_EQ(chosen("core:8 pu:1", 8, 8), Algorithm::direct);
  EXPECT_EQ(chosen("numa:2 core:2 pu:1", 8, 4), Algorithm::direct);
}

TEST(RouteChoices, AutomaticNeedsNoSharedMemory) {
  Machine machine({.processors = 3});
  machine.run([](Processor& real) {
    SeparateProcessor self(real);
    EXPECT_EQ(choose_route(self, {Algorithm::automatic}), Algorithm::two_transpose);
    const std::vector<int> all_to_2(4, 2);
    EXPECT_EQ(route(self, all_to_2, all_to_2).size(), self.id() == 2 ? 12u : 0u);
  });
}

// Where a message takes as long whatever its size, both times are the same for all patterns.
TEST_P(RouteChoice, AutomaticInAModelIsNotSlowerThanWhatAnyOtherRouterTakes) {
  const int p = GetParam();
  int by_one_phase = 0;
  for (const PostalParameters& parameters :
       {PostalParameters{.lambda = 1}, PostalParameters{.lambda = Rational(9, 5)},
        PostalParameters{.lambda = 7, .ports = 3}}) {
    const auto clock = std::make_shared<VirtualClock>(parameters);
    Machine machine({.processors = p, .clock = clock});
    const TimeModel model = TimeModel::of(parameters, p);
    for (const Pattern& pattern : all_patterns(p, kRouteSeed)) {
      const TaggedLists elements = elements_of(pattern);
      TaggedLists received(pattern.targets.size());
      const auto time_of = [&](const Algorithm& router) {
        machine.run([&](Processor& self) {
          const auto id = static_cast<std::size_t>(self.id());
          received[id] = route(self, elements[id], pattern.targets[id], router);
        });
        return clock->finish();
      };
      const Rational automatic = time_of(Algorithm::automatic);
      ASSERT_EQ(received, expected_of(pattern)) << pattern.name;
      const Rational one_phase = time_of(Algorithm::one_phase);
      EXPECT_EQ(automatic, std::min(one_phase, time_of(Algorithm::two_transpose))) << pattern.name;
      EXPECT_EQ(automatic, time_of(choose_route(p, model))) << pattern.name;
      if (choose_route(p, model) == Algorithm::one_phase) ++by_one_phase;
    }
  }
  EXPECT_EQ(by_one_phase > 0, p > 1 && p < 9);
}

TEST(RouteChoices, AutomaticIsTwoTransposesWhereTheRelationIsKnown) {
  Machine machine({.processors = 3, .clock = std::make_shared<VirtualClock>(Rational(9, 5))});
  machine.run([](Processor& self) {
    EXPECT_EQ(choose_route(self, {}), Algorithm::one_phase);
    EXPECT_EQ(choose_route(self, {.relation = Relation{4, 12}}), Algorithm::two_transpose);
  });
}

TEST(RouteChoices, AnAlgorithmIsOneMoreArgument) {
  Machine machine({.processors = 5, .trace = true});
  const Pattern pattern = uniform_pattern(5, 30, kRouteSeed);
  const TaggedLists elements = elements_of(pattern);
  const auto sent = [&](const auto& by) {
    TaggedLists received(pattern.targets.size());
    machine.run([&](Processor& self) {
      const auto id = static_cast<std::size_t>(self.id());
      received[id] = route(self, elements[id], pattern.targets[id], by);
    });
    EXPECT_EQ(received, expected_of(pattern));
    return std::pair(machine.trace().rounds(), machine.trace().volume());
  };
  for (const Algorithm& router : kRouters) {
    EXPECT_EQ(sent(router), sent(RouteOptions{.algorithm = router})) << router;
  }
  EXPECT_EQ(sent(Algorithm::automatic), sent(RouteOptions()));
}

TEST(RouteChoices, BracesAreOptions) {
  Machine machine({.processors = 2});
  machine.run([](Processor& self) {
    const std::vector<int> targets{1, 0, 1};
    const std::vector<int> expected = route(self, targets, targets);
    EXPECT_EQ(route(self, targets, targets, {}), expected);
    EXPECT_EQ(route(self, targets, targets, {}, Where::current()), expected);
    EXPECT_EQ(route(self, targets, targets, {Algorithm::one_phase}), expected);
    EXPECT_EQ(route(self, targets, targets, {.algorithm = Algorithm::one_phase}), expected);
  });
}

}  // namespace
}  // namespace postroom
