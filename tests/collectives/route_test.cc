// What the routers deliver, in which order, to whom.
#include "collectives/route.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "collectives/algorithm.h"
#include "runtime/machine.h"
#include "tests/collectives/route_patterns.h"
#include "tests/collectives/routers.h"

namespace postroom {
namespace {

class RouteOnMachine : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Processors, RouteOnMachine, ::testing::ValuesIn(kRouteCounts));

TEST_P(RouteOnMachine, AllRoutersDeliverInOrder) {
  const std::vector<Pattern> patterns = all_patterns(GetParam(), kRouteSeed);
  // All in one run, so that they follow each other without a pause.
  struct Case {
    const Pattern& pattern;
    RouteOptions options;
    TaggedLists elements = elements_of(pattern);
    TaggedLists received = TaggedLists(pattern.targets.size());
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
        << ", relation known: " << one.options.relation.has_value() << ", seed " << kRouteSeed;
  }
}

TEST_P(RouteOnMachine, TurnsDeliverInOrder) {
  const int p = GetParam();
  for (int threads = 1; threads < std::min(p, 4); ++threads) {
    Machine machine({.processors = p, .threads = threads});
    for (const Pattern& pattern : all_patterns(p, kRouteSeed)) {
      const TaggedLists elements = elements_of(pattern);
      for (const Algorithm& router : {Algorithm::turns, Algorithm::automatic}) {
        TaggedLists received(pattern.targets.size());
        machine.run([&](Processor& self) {
          const auto id = static_cast<std::size_t>(self.id());
          received[id] = route(self, elements[id], pattern.targets[id], router);
        });
        ASSERT_EQ(received, expected_of(pattern))
            << router << ", " << threads << " threads, " << pattern.name << ", seed " << kRouteSeed;
      }
    }
  }
}

TEST_P(RouteOnMachine, FindsTheRelation) {
  const int p = GetParam();
  Machine machine({.processors = p, .trace = true});
  for (const Pattern& pattern : all_patterns(p, kRouteSeed)) {
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

}  // namespace
}  // namespace postroom
