#include "collectives/route.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "collectives/algorithm.h"
#include "collectives/alltoall.h"
#include "collectives/models/time_model.h"
#include "collectives/route_cost.h"
#include "numa/topology.h"
#include "runtime/errors.h"
#include "runtime/machine.h"
#include "runtime/postal_parameters.h"
#include "runtime/virtual_clock.h"
#include "tests/collectives/failing_processor.h"
#include "tests/collectives/route_patterns.h"
#include "tests/collectives/routers.h"

namespace postroom {
namespace {

constexpr int kCounts[] = {1, 2, 3, 4, 5, 7, 8, 13, 16, 33};
constexpr std::uint64_t kSeed = 20'240'612;

using Lists = std::vector<std::vector<Tagged>>;

class RouteOnMachine : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Processors, RouteOnMachine, ::testing::ValuesIn(kCounts));

TEST_P(RouteOnMachine, AllRoutersDeliverInOrder) {
  const std::vector<Pattern> patterns = all_patterns(GetParam(), kSeed);
  // All in one run, so that they follow each other without a pause.
  struct Case {
    const Pattern& pattern;
    RouteOptions options;
    Lists elements = elements_of(pattern);
    Lists received = Lists(pattern.targets.size());
  };
  std::vector<Case> cases;
  for (const Pattern& pattern : patterns) {
    const Relation relation{pattern.most_sent(), pattern.most_received()};
    for (const Algorithm& router : kRouters) {
      cases.push_back({.pattern = pattern, .options = {.algorithm = router}});
      cases.push_back({.pattern = pattern, .options = {.algorithm = router, .relation = relation}});
    }
  }
  Machine machine({.processors = GetParam()});
  machine.run([&](Processor& self) {
    const auto id = static_cast<std::size_t>(self.id());
    for (Case& one : cases) {
      one.received[id] = route(self, one.elements[id], one.pattern.targets[id], one.options);
    }
  });
  for (const Case& one : cases) {
    ASSERT_EQ(one.received, expected_of(one.pattern))
        << one.options.algorithm << ", " << one.pattern.name
        << ", relation known: " << one.options.relation.has_value() << ", seed " << kSeed;
  }
}

TEST_P(RouteOnMachine, TurnsDeliverInOrder) {
  const int p = GetParam();
  for (int threads = 1; threads < std::min(p, 4); ++threads) {
    Machine machine({.processors = p, .threads = threads});
    for (const Pattern& pattern : all_patterns(p, kSeed)) {
      const Lists elements = elements_of(pattern);
      for (const Algorithm& router : {Algorithm::turns, Algorithm::automatic}) {
        Lists received(pattern.targets.size());
        machine.run([&](Processor& self) {
          const auto id = static_cast<std::size_t>(self.id());
          received[id] = route(self, elements[id], pattern.targets[id], router);
        });
        ASSERT_EQ(received, expected_of(pattern))
            << router << ", " << threads << " threads, " << pattern.name << ", seed " << kSeed;
      }
    }
  }
}

TEST_P(RouteOnMachine, FindsTheRelation) {
  const int p = GetParam();
  Machine machine({.processors = p, .trace = true});
  for (const Pattern& pattern : all_patterns(p, kSeed)) {
    std::vector<Relation> found(static_cast<std::size_t>(p));
    machine.run([&](Processor& self) {
      const auto id = static_cast<std::size_t>(self.id());
      found[id] = find_relation(self, count_targets(pattern.targets[id], p), Where::current());
    });
    const Relation relation{pattern.most_sent(), pattern.most_received()};
    EXPECT_EQ(found, std::vector(static_cast<std::size_t>(p), relation)) << pattern.name;
    EXPECT_EQ(machine.trace().rounds(), find_relation_cost(p).rounds);
    EXPECT_EQ(static_cast<std::int64_t>(machine.trace().volume()), find_relation_cost(p).bytes);
  }
}

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
  for (const Pattern& pattern : all_patterns(p, kSeed)) {
    const Lists elements = elements_of(pattern);
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
TEST_P(RouteOnMachine, CostInAModelIsWhatTheTraceCounts) {
  const int p = GetParam();
  for (const PostalParameters& parameters :
       {PostalParameters{.lambda = 1}, PostalParameters{.lambda = 7, .ports = 2},
        PostalParameters{.lambda = Rational(9, 5), .unit_bytes = 64}}) {
    Machine machine(
        {.processors = p, .clock = std::make_shared<VirtualClock>(parameters), .trace = true});
    const TimeModel model = TimeModel::of(parameters, p);
    for (const Pattern& pattern : all_patterns(p, kSeed)) {
      const Lists elements = elements_of(pattern);
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
TEST_P(RouteOnMachine, CostIsWhatTheTraceCounts) {
  const auto caches =
      std::make_shared<const Topology>(Topology::synthetic("package:1 l3:4 core:4 pu:1"));
  for (const auto& box : {std::shared_ptr<const Topology>(), caches}) {
    expect_costs_of_traces(GetParam(), box);
  }
}

// The property that [H] shows: the messages depend on h alone.
TEST(Route, TwoTransposeCostsTheSameForEveryPatternOfOneRelation) {
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

struct Largest {
  void first_bin(int /*bin*/, std::size_t elements) { first = std::max(first, elements); }
  void second_bin(int /*target*/, std::size_t elements) { second = std::max(second, elements); }
  std::size_t first = 0;
  std::size_t second = 0;
};

TEST(Route, TightCaseFillsBinSevenToTheBound) {
  Pattern pattern = empty_pattern(8);
  for (int j = 1; j < 8; ++j) {
    pattern.targets[0].insert(pattern.targets[0].end(), static_cast<std::size_t>((15 - j) % 8 + 1),
                              j);
  }
  const Relation relation{pattern.most_sent(), pattern.most_received()};
  ASSERT_EQ(relation.most_sent, 28u);
  std::vector<Largest> largest(8);
  Machine machine({.processors = 8});
  machine.run([&](Processor& self) {
    const auto id = static_cast<std::size_t>(self.id());
    const std::span<const int> targets = pattern.targets[id];
    EXPECT_EQ(route_two_transpose(self, targets, targets, relation, largest[id]).size(),
              self.id() == 0 ? 0u : static_cast<std::size_t>((15 - self.id()) % 8 + 1));
  });
  EXPECT_EQ(largest[0].first, 7u);
  EXPECT_EQ(first_bin_bound(28, 8), 7u);
  for (std::size_t i = 1; i < 8; ++i) EXPECT_EQ(largest[i].first, 0u);
  // The 8 elements for processor 7 went through 8 processors.
  for (const Largest& at : largest) {
    EXPECT_LE(at.second, second_bin_bound(relation.most_received, 8));
  }
}

template <class T>
T element_of(std::uint64_t number) {
  T element{};
  std::memcpy(static_cast<void*>(&element), &number, std::min(sizeof(T), sizeof(number)));
  return element;
}

struct Bytes3 {
  std::array<std::uint8_t, 3> bytes;
};
struct Record {
  std::uint64_t key;
  std::array<char, 92> rest;
};
struct alignas(32) Wide {
  std::uint64_t key;
  std::array<std::uint64_t, 3> rest;
};

template <class T>
class RouteOf : public ::testing::Test {};
using ElementTypes = ::testing::Types<std::uint8_t, Bytes3, float, std::uint64_t, Record, Wide>;
TYPED_TEST_SUITE(RouteOf, ElementTypes);

TYPED_TEST(RouteOf, AnyTypeThatMayBeCopiedByteByByte) {
  const int p = 5;
  Machine machine({.processors = p});
  for (const Algorithm& router : kRouters) {
    machine.run([&](Processor& self) {
      std::vector<TypeParam> elements;
      std::vector<std::uint8_t> targets;
      for (int k = 0; k < 60; ++k) {
        elements.push_back(element_of<TypeParam>(static_cast<std::uint64_t>(self.id() * 60 + k)));
        targets.push_back(static_cast<std::uint8_t>((k * k + self.id()) % p));
      }
      const std::vector<TypeParam> received = route(self, elements, targets, router);
      std::size_t next = 0;
      for (int source = 0; source < p; ++source) {
        for (int k = 0; k < 60; ++k) {
          if ((k * k + source) % p != self.id()) continue;
          const auto expected = element_of<TypeParam>(static_cast<std::uint64_t>(source * 60 + k));
          ASSERT_LT(next, received.size());
          ASSERT_EQ(std::memcmp(&received[next++], &expected, sizeof(TypeParam)), 0);
        }
      }
      ASSERT_EQ(next, received.size());
    });
  }
}

TEST(Route, DestinationsAsFunctionOrMember) {
  Machine machine({.processors = 4});
  machine.run([](Processor& self) {
    const std::vector<Tagged> elements{{0, 1}, {3, 2}, {1, 3}, {3, 4}};
    const std::vector<std::uint32_t> of_member = {0, 3, 1, 3};
    int calls = 0;
    const auto by_function = route(self, elements, [&](const Tagged& element) {
      ++calls;
      return element.source;
    });
    EXPECT_EQ(calls, 4);
    EXPECT_EQ(route(self, elements, &Tagged::source), by_function);
    EXPECT_EQ(route(self, elements, of_member), by_function);
    const std::size_t per_source[] = {1, 1, 0, 2};
    EXPECT_EQ(by_function.size(), 4 * per_source[self.id()]);
  });
}

TEST(Route, AutomaticIsDirectInSharedMemory) {
  Machine machine({.processors = 2});
  machine.run([](Processor& self) {
    EXPECT_EQ(choose_route(self, {Algorithm::automatic}), Algorithm::direct);
    EXPECT_EQ(choose_route(self, {Algorithm::one_phase}), Algorithm::one_phase);
  });
}

TEST(Route, AutomaticIsTurnsWhereEightOrMoreShareThreads) {
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

/// As if each processor had its memory for itself.
struct SeparateProcessor : ForwardingProcessor {
  using ForwardingProcessor::ForwardingProcessor;
  bool shares_memory() const noexcept override { return false; }
};

TEST(Route, AutomaticNeedsNoSharedMemory) {
  Machine machine({.processors = 3});
  machine.run([](Processor& real) {
    SeparateProcessor self(real);
    EXPECT_EQ(choose_route(self, {Algorithm::automatic}), Algorithm::two_transpose);
    const std::vector<int> all_to_2(4, 2);
    EXPECT_EQ(route(self, all_to_2, all_to_2).size(), self.id() == 2 ? 12u : 0u);
  });
}

// Where a message takes as long whatever its size, both times are the same for all patterns.
TEST_P(RouteOnMachine, AutomaticInAModelIsNotSlowerThanWhatAnyOtherRouterTakes) {
  const int p = GetParam();
  int by_one_phase = 0;
  for (const PostalParameters& parameters :
       {PostalParameters{.lambda = 1}, PostalParameters{.lambda = Rational(9, 5)},
        PostalParameters{.lambda = 7, .ports = 3}}) {
    const auto clock = std::make_shared<VirtualClock>(parameters);
    Machine machine({.processors = p, .clock = clock});
    const TimeModel model = TimeModel::of(parameters, p);
    for (const Pattern& pattern : all_patterns(p, kSeed)) {
      const Lists elements = elements_of(pattern);
      Lists received(pattern.targets.size());
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

TEST(Route, AutomaticIsTwoTransposesWhereTheRelationIsKnown) {
  Machine machine({.processors = 3, .clock = std::make_shared<VirtualClock>(Rational(9, 5))});
  machine.run([](Processor& self) {
    EXPECT_EQ(choose_route(self, {}), Algorithm::one_phase);
    EXPECT_EQ(choose_route(self, {.relation = Relation{4, 12}}), Algorithm::two_transpose);
  });
}

TEST(Route, AnAlgorithmIsOneMoreArgument) {
  Machine machine({.processors = 5, .trace = true});
  const Pattern pattern = uniform_pattern(5, 30, kSeed);
  const Lists elements = elements_of(pattern);
  const auto cost_of = [&](const auto& by) {
    Lists received(pattern.targets.size());
    machine.run([&](Processor& self) {
      const auto id = static_cast<std::size_t>(self.id());
      received[id] = route(self, elements[id], pattern.targets[id], by);
    });
    EXPECT_EQ(received, expected_of(pattern));
    return traced(machine);
  };
  for (const Algorithm& router : kRouters) {
    EXPECT_EQ(cost_of(router), cost_of(RouteOptions{.algorithm = router})) << router;
  }
  EXPECT_EQ(cost_of(Algorithm::automatic), cost_of(RouteOptions()));
}

TEST(Route, BracesAreOptions) {
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

// --- Errors.

/// Runs `program` on a traced machine of 4; returns what its failure says and how much was sent.
template <class Cause>
std::pair<std::string, std::size_t> failure(const Machine::Program& program) {
  Machine machine({.processors = 4, .trace = true});
  try {
    machine.run(program);
  } catch (const ProcessorError& error) {
    EXPECT_NE(error.caused_by<Cause>(), nullptr) << error.what();
    return {error.what(), machine.trace().messages().size()};
  }
  return {"no failure", 0};
}

TEST(Route, BadDestinationIsNamedBeforeAnyMessage) {
  for (const Algorithm& router : kRouters) {
    for (const int bad : {-1, 4, 1'000'000'000}) {
      // All fail, so that none can have sent anything before.
      const auto [what, messages] = failure<std::invalid_argument>([&](Processor& self) {
        const std::vector<int> destinations{0, 3, bad, 1};
        (void)route(self, destinations, destinations, router);
      });
      EXPECT_NE(
          what.find("destination of element 2: " + std::to_string(bad) + " is not allowed; 0 to 3"),
          std::string::npos)
          << what;
      EXPECT_EQ(messages, 0u);
    }
  }
}

TEST(Route, LargeDestinationIsNotCutToAnInt) {
  const auto [what, messages] = failure<std::invalid_argument>([](Processor& self) {
    (void)route(self, std::vector<int>{7}, std::vector<std::uint64_t>{(1ull << 32) + 1});
  });
  EXPECT_NE(what.find("destination of element 0: 4294967297 is not"), std::string::npos) << what;
  EXPECT_EQ(messages, 0u);
}

TEST(Route, MoreElementsThanTheRelationSays) {
  for (const Algorithm& router : kRouters) {
    const auto [what, messages] = failure<std::invalid_argument>([&](Processor& self) {
      (void)route(self, std::vector<int>(5), std::vector<int>(5), {router, Relation{4, 100}});
    });
    EXPECT_NE(what.find("at most the relation's most_sent, 4"), std::string::npos) << what;
    EXPECT_EQ(messages, 0u);
  }
}

TEST(Route, ListOfDestinationsOfAnotherLength) {
  const auto [what, messages] = failure<std::invalid_argument>(
      [](Processor& self) { (void)route(self, std::vector<int>(5), std::vector<int>(4)); });
  EXPECT_NE(what.find("destinations: 4 are not allowed; one for each of the 5 elements"),
            std::string::npos)
      << what;
  EXPECT_EQ(messages, 0u);
}

TEST(Route, AlgorithmThatIsNoRouterIsNamedBeforeAnyMessage) {
  for (const Algorithm& other : {Algorithm::ring, Algorithm::bruck(4), Algorithm::pairwise}) {
    const std::string refusal = "route: " + to_string(other) +
                                " is not allowed; automatic, two_transpose, one_phase, direct, "
                                "turns";
    const auto [what, messages] = failure<std::invalid_argument>([&](Processor& self) {
      (void)route(self, std::vector<int>(5), std::vector<int>(5), other);
    });
    EXPECT_NE(what.find(refusal), std::string::npos) << what;
    EXPECT_EQ(messages, 0u);
    const auto [chosen, none] = failure<std::invalid_argument>([&](Processor& self) {
      (void)choose_route(self, {.algorithm = other, .relation = Relation{5, 20}});
    });
    EXPECT_NE(chosen.find(refusal), std::string::npos) << chosen;
    EXPECT_EQ(none, 0u);
  }
}

TEST(Route, DirectNeedsSharedMemory) {
  const auto [what, messages] = failure<std::invalid_argument>([](Processor& real) {
    SeparateProcessor self(real);
    (void)route(self, std::vector<int>(5), std::vector<int>(5), Algorithm::direct);
  });
  EXPECT_NE(what.find("route: direct is not allowed; these processors do not share memory"),
            std::string::npos)
      << what;
  EXPECT_EQ(messages, 0u);
}

TEST(Route, TurnsNeedThreadsThatAreShared) {
  // The machine keeps a trace, so processors would not take turns on any box.
  const auto [what, messages] = failure<std::invalid_argument>([](Processor& self) {
    (void)route(self, std::vector<int>(5), std::vector<int>(5), Algorithm::turns);
  });
  EXPECT_NE(what.find("route: turns is not allowed; only where all processors of a machine share "
                      "threads"),
            std::string::npos)
      << what;
  EXPECT_EQ(messages, 0u);
}

TEST(Route, MoreSentThanTheRelationSays) {
  const auto [what, messages] = failure<std::invalid_argument>([](Processor& self) {
    const RouteOptions options{Algorithm::two_transpose, Relation{4, 100}};
    (void)route(self, std::vector<int>(5), std::vector<int>(5), options);
  });
  EXPECT_NE(what.find("elements: 5 are not allowed; at most the relation's most_sent, 4"),
            std::string::npos)
      << what;
  EXPECT_EQ(messages, 0u);
}

TEST(Route, MoreReceivedThanTheRelationSays) {
  const auto [what, messages] = failure<std::logic_error>([](Processor& self) {
    const RouteOptions options{Algorithm::two_transpose, Relation{100, 4}};
    (void)route(self, std::vector<int>(100), std::vector<int>(100, 2), options);
  });
  EXPECT_NE(what.find("bin 2 of the second transpose gets more than 2 elements"), std::string::npos)
      << what;
  EXPECT_NE(messages, 0u);
}

}  // namespace
}  // namespace postroom
