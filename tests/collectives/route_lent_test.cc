// The two-transpose router with blocks so large that they are lent and read in place.

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "collectives/algorithm.h"
#include "collectives/route.h"
#include "numa/topology.h"
#include "runtime/errors.h"
#include "runtime/kept_memory.h"
#include "runtime/machine.h"
#include "tests/collectives/failing_processor.h"
#include "tests/collectives/route_patterns.h"

namespace postroom {
namespace {

constexpr std::uint64_t kSeed = 20'261'122;

/// Eight of them in a bin are enough.
struct Page {
  std::uint32_t source;
  std::uint32_t index;
  std::array<std::byte, 4088> rest;
};
static_assert(sizeof(Page) == 4096);

std::vector<Pattern> patterns_of(int p) {
  const std::size_t each = 8 * static_cast<std::size_t>(p);
  return {uniform_pattern(p, each, kSeed), permutation_pattern(p, each + 3, kSeed),
          all_to_one_pattern(p, each, p - 1),
          equation_7_pattern(p, each * static_cast<std::size_t>(p), 2 * each)};
}

std::vector<Page> elements_of(const Pattern& pattern, const Processor& self) {
  std::vector<Page> pages(pattern.targets[static_cast<std::size_t>(self.id())].size());
  for (std::uint32_t k = 0; k < pages.size(); ++k) {
    pages[k].source = static_cast<std::uint32_t>(self.id());
    pages[k].index = k;
  }
  return pages;
}

/// By source, and in the order of sending.
void expect_right(const Pattern& pattern, const Processor& self,
                  const std::vector<Page>& received) {
  auto next = received.begin();
  for (std::uint32_t source = 0; source < pattern.targets.size(); ++source) {
    for (std::uint32_t k = 0; k < pattern.targets[source].size(); ++k) {
      if (pattern.targets[source][k] != self.id()) continue;
      ASSERT_NE(next, received.end()) << pattern.name << ", seed " << kSeed;
      ASSERT_EQ(next->source, source) << pattern.name << ", seed " << kSeed;
      ASSERT_EQ(next->index, k) << pattern.name << ", seed " << kSeed;
      ++next;
    }
  }
  ASSERT_EQ(next, received.end()) << pattern.name << ", seed " << kSeed;
}

std::vector<Page> route_pages(Processor& self, const Pattern& pattern, const Relation& relation) {
  return route(self, elements_of(pattern, self),
               pattern.targets[static_cast<std::size_t>(self.id())],
               {Algorithm::two_transpose, relation});
}

class RouteLent : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Processors, RouteLent, ::testing::Values(2, 3, 5, 8));

TEST_P(RouteLent, DeliversInOrder) {
  const int p = GetParam();
  Machine machine({.processors = p});
  for (const Pattern& pattern : patterns_of(p)) {
    const Relation relation{pattern.most_sent(), pattern.most_received()};
    const RouteBlockLayout blocks =
        RouteBlockLayout::of<Page>(p, first_bin_bound(relation.most_sent, p));
    machine.run([&](Processor& self) {
      ASSERT_TRUE(lends_blocks(self, blocks.bytes));
      expect_right(pattern, self, route_pages(self, pattern, relation));
    });
  }
}

// A block comes from a cache further away once, whether it is read or copied; from another node it
// is copied, once.
TEST(RouteLentBoxes, BlocksAreLentWithinANodeOfSeveralCaches) {
  for (const auto& [box, lent] :
       {std::pair{"package:1 l3:4 core:4 pu:1", true}, {"numa:2 core:8 pu:1", false}}) {
    Machine machine(
        {.processors = 16, .topology = std::make_shared<const Topology>(Topology::synthetic(box))});
    const Pattern pattern = permutation_pattern(16, 8 * 16, kSeed);
    const Relation relation{pattern.most_sent(), pattern.most_received()};
    const RouteBlockLayout blocks =
        RouteBlockLayout::of<Page>(16, first_bin_bound(relation.most_sent, 16));
    machine.run([&, lent = lent](Processor& self) {
      EXPECT_NE(self.box(), nullptr);
      EXPECT_EQ(lends_blocks(self, blocks.bytes), lent);
      expect_right(pattern, self, route_pages(self, pattern, relation));
    });
  }
}

TEST_P(RouteLent, KeepsItsMemoryForTheNextCall) {
  const int p = GetParam();
  Machine machine({.processors = p});
  std::vector<std::size_t> kept(static_cast<std::size_t>(p));
  for (int call = 0; call < 3; ++call) {
    for (const Pattern& pattern : patterns_of(p)) {
      const Relation relation{pattern.most_sent(), pattern.most_received()};
      machine.run([&](Processor& self) {
        expect_right(pattern, self, route_pages(self, pattern, relation));
        std::size_t& bytes = kept[static_cast<std::size_t>(self.id())];
        EXPECT_GE(self.kept_memory()->bytes(), bytes);
        EXPECT_TRUE(call < 2 || self.kept_memory()->bytes() == bytes);
        bytes = self.kept_memory()->bytes();
        EXPECT_GT(bytes, 0u);
        EXPECT_LE(bytes, kKeptBytesOfMachine / static_cast<std::size_t>(p));
      });
    }
  }
}

TEST_P(RouteLent, CostIsWhatTheTraceCounts) {
  const int p = GetParam();
  Machine machine({.processors = p, .trace = true});
  for (const Pattern& pattern : patterns_of(p)) {
    const Relation relation{pattern.most_sent(), pattern.most_received()};
    machine.run([&](Processor& self) { (void)route_pages(self, pattern, relation); });
    const Cost traced{machine.trace().rounds(),
                      static_cast<std::int64_t>(machine.trace().volume())};
    EXPECT_EQ(traced, route_two_transpose_cost<Page>(p, relation)) << pattern.name;
  }
}

TEST_P(RouteLent, FailureAtEachCallEndsAll) {
  const int p = GetParam();
  Machine machine({.processors = p});
  const Pattern pattern = permutation_pattern(p, 8 * static_cast<std::size_t>(p), kSeed);
  const Relation relation{pattern.most_sent(), pattern.most_received()};
  const int calls = 4 * (p - 1);  // to lend and to borrow, in two transposes
  for (int call = 0; call < calls; ++call) {
    try {
      machine.run([&](Processor& self) {
        FailingProcessor failing(self, self.id() == 1 ? call : FailingProcessor::kNever);
        (void)route_pages(failing, pattern, relation);
      });
      ADD_FAILURE() << "did not fail: call " << call;
    } catch (const ProcessorError& error) {
      EXPECT_EQ(error.processor(), 1);
      EXPECT_NE(error.caused_by<PlannedFailure>(), nullptr) << error.what();
    }
  }
  machine.run([&](Processor& self) {
    FailingProcessor counting(self, FailingProcessor::kNever);
    expect_right(pattern, self, route_pages(counting, pattern, relation));
    EXPECT_EQ(counting.calls(), calls);
  });
}

TEST(RouteLentErrors, MoreReceivedThanTheRelationSays) {
  Machine machine({.processors = 2});
  try {
    machine.run([](Processor& self) {
      (void)route_pages(self, all_to_one_pattern(2, 32, 1), {.most_sent = 32, .most_received = 32});
    });
    FAIL() << "not refused";
  } catch (const ProcessorError& error) {
    EXPECT_NE(error.caused_by<std::logic_error>(), nullptr);
    EXPECT_NE(std::string(error.what()).find("bin 1 of the second transpose gets more than 16"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace postroom
