#include "numa/topology.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "numa/binding.h"
#include "numa/pin.h"
#include "tests/numa/boxes.h"
#include "tests/numa/invariants.h"
#include "tests/thrown.h"

namespace postroom {
namespace {

/// The level of two leaves from the arities alone: divide until they meet, counting what branches.
int level_by_division(std::vector<int> arities, int a, int b) {
  int level = 0;
  while (a != b) {
    a /= arities.back();
    b /= arities.back();
    if (arities.back() > 1) ++level;
    arities.pop_back();
  }
  return level;
}

TEST(TopologyTest, ExampleOfTheHeader) {
  const Topology box = Topology::parse("package:2 core:4 pu:2");
  EXPECT_EQ(box.leaf_count(), 16);
  EXPECT_EQ(box.level(0, 1), 1);
  EXPECT_EQ(box.level(0, 2), 2);
  EXPECT_EQ(box.subtree(9, 2), std::pair(8, 16));
  EXPECT_EQ(box.level_name(0), "PU");
  EXPECT_EQ(box.level_name(1), "core");
  EXPECT_EQ(box.level_name(2), "package");
  EXPECT_EQ(box.level_name(3), "machine");
  EXPECT_EQ(box.level_count(), 4);
  EXPECT_FALSE(box.is_this_machine());
  EXPECT_TRUE(box.notes().empty());
}

TEST(TopologyTest, ThereAreEnoughBoxes) { EXPECT_GE(regular_boxes().size(), 30U); }

class RegularBoxTest : public testing::TestWithParam<Box> {};

TEST_P(RegularBoxTest, IsAsDescribed) {
  const Box& box = GetParam();
  const Topology topology = Topology::synthetic(box.description);
  const int leaves =
      std::accumulate(box.arities.begin(), box.arities.end(), 1, std::multiplies<>());
  ASSERT_EQ(topology.leaf_count(), leaves);
  EXPECT_EQ(topology.core_count(), box.cores);
  EXPECT_EQ(topology.node_count(), box.nodes);
  for (int a = 0; a < leaves; a += 1 + leaves / 64) {
    EXPECT_EQ(topology.leaf(a).os_index, a);
    for (int b = 0; b < leaves; ++b) {
      ASSERT_EQ(topology.level(a, b), level_by_division(box.arities, a, b)) << a << ' ' << b;
    }
  }
}

TEST_P(RegularBoxTest, IsValid) {
  const Topology topology = Topology::synthetic(GetParam().description);
  expect_valid(topology);
  expect_metric_distances(topology);
}

INSTANTIATE_TEST_SUITE_P(Boxes, RegularBoxTest, testing::ValuesIn(regular_boxes()));

TEST(TopologyTest, LevelsThatDoNotBranchAreMerged) {
  const Topology box = Topology::synthetic("package:1 [numa] l3:1 l2:8 l1d:1 core:1 pu:2");
  ASSERT_EQ(box.level_count(), 3);
  EXPECT_EQ(box.level_name(1), "core");
  EXPECT_EQ(box.level_parts(1), (std::vector<std::string>{"core", "L1d", "L2"}));
  EXPECT_EQ(box.level_name(2), "machine");
  const std::vector<std::string>& last = box.level_parts(2);
  EXPECT_EQ(last.front(), "L3");
  EXPECT_EQ(last.back(), "machine");
  EXPECT_EQ(last.size(), 4U);  // and NUMA and package between
}

TEST(TopologyTest, NumaLevelIsNamed) {
  const Topology box = Topology::synthetic("package:2 numa:2 l3:2 core:4 pu:1");
  ASSERT_EQ(box.level_count(), 5);
  EXPECT_EQ(box.level_name(0), "core");
  EXPECT_EQ(box.level_name(1), "L3");
  EXPECT_EQ(box.level_name(2), "NUMA");
  EXPECT_EQ(box.level_name(3), "package");
  EXPECT_EQ(box.level_name(4), "machine");
}

TEST(TopologyTest, DistancesFollowTheTreeWhereNoneAreStated) {
  const Topology box = Topology::synthetic("package:2 numa:2 core:4 pu:1");
  EXPECT_EQ(box.node_distance(0, 0), 10);
  EXPECT_EQ(box.node_distance(0, 1), 20);
  EXPECT_EQ(box.node_distance(1, 2), 30);
  EXPECT_EQ(box.node_distance(3, 0), 30);
  EXPECT_EQ(box.node_of(5), 1);
  EXPECT_EQ(box.node_of(15), 3);
}

TEST(TopologyTest, CachesAndTheirShares) {
  const Topology box = Topology::synthetic(
      "package:2 l3:2(size=1000000) l2:2(size=2000) l1d:1(size=300) core:1 pu:2");
  const Leaf& leaf = box.leaf(5);
  EXPECT_EQ(leaf.l1d.bytes, 300U);
  EXPECT_EQ(leaf.l1d.leaves, 2);
  EXPECT_EQ(leaf.l2.bytes, 2000U);
  EXPECT_EQ(leaf.l2.leaves, 2);
  EXPECT_EQ(leaf.l3.bytes, 1000000U);
  EXPECT_EQ(leaf.l3.leaves, 4);
  EXPECT_EQ(leaf.l3.first_leaf % 4, 0);
  EXPECT_EQ(leaf.package, 0);
  EXPECT_EQ(box.leaf(15).package, 1);

  const Leaf bare = Topology::synthetic("pu:2").leaf(0);
  EXPECT_EQ(bare.l1d.bytes, 0U);
  EXPECT_EQ(bare.l3.leaves, 0);
  EXPECT_EQ(bare.l3.first_leaf, -1);
}

TEST(TopologyTest, MemoryIsSummed) {
  const Topology box = Topology::synthetic("numa:3(memory=5000000) core:2 pu:1");
  EXPECT_EQ(box.total_memory_bytes(), 15000000U);
  EXPECT_EQ(box.node(2).memory_bytes, 5000000U);
  EXPECT_GE(box.cache_line_bytes(), 16);
}

TEST(TopologyTest, NonsenseIsRefused) {
  for (const char* text : {"nonsense", " ", "core:4", "pu:0", "pu:-3", "numa:4 pu:2 core:3", "pu",
                           "2:2 pu", "core:2x pu:1", "pu:2:3", "pu:2 foo", "machine:2 pu:2", "-1",
                           "pu:99999999999999999999", "[numa pu:2", "pu:2]"}) {
    const std::string words = refusal([&] { Topology::synthetic(text); });
    EXPECT_NE(words.find(std::string("\"") + text + "\""), std::string::npos) << text;
    EXPECT_EQ(words.find('\n'), std::string::npos);
  }
}

TEST(TopologyTest, TooManyLeavesAreRefused) {
  EXPECT_EQ(Topology::synthetic("numa:64 core:64 pu:1").leaf_count(), 4096);
  for (const char* text : {"pu:4097", "core:4096 pu:2", "numa:100 core:100 pu:100", "100 100"}) {
    const std::string words = refusal([&] { Topology::synthetic(text); });
    EXPECT_NE(words.find("at most 4096"), std::string::npos) << text << ": " << words;
  }
}

TEST(TopologyTest, IndicesOutOfRangeAreRefused) {
  const Topology box = Topology::synthetic("numa:2 core:2 pu:1");
  EXPECT_EQ(refusal([&] { box.leaf(4); }), "leaf: 4 is not allowed; 0 to 3");
  EXPECT_EQ(refusal([&] { box.leaf(-1); }), "leaf: -1 is not allowed; 0 to 3");
  EXPECT_EQ(refusal([&] { box.level(0, 4); }), "leaf: 4 is not allowed; 0 to 3");
  EXPECT_EQ(refusal([&] { box.level(-1, 0); }), "leaf: -1 is not allowed; 0 to 3");
  EXPECT_EQ(refusal([&] { box.subtree(0, 3); }), "level: 3 is not allowed; 0 to 2");
  EXPECT_EQ(refusal([&] { box.level_name(-1); }), "level: -1 is not allowed; 0 to 2");
  EXPECT_EQ(refusal([&] { box.node(2); }), "node: 2 is not allowed; 0 to 1");
  EXPECT_EQ(refusal([&] { box.node_distance(0, 2); }), "node: 2 is not allowed; 0 to 1");
  EXPECT_EQ(refusal([&] { box.node_of(9); }), "leaf: 9 is not allowed; 0 to 3");
}

TEST(TopologyTest, RestrictedToSomeCpus) {
  const Topology box = Topology::synthetic("numa:2 core:2 pu:2").restricted_to({1, 6, 7, 99});
  ASSERT_EQ(box.leaf_count(), 3);
  EXPECT_EQ(box.leaf(0).os_index, 1);
  EXPECT_EQ(box.leaf(2).os_index, 7);
  EXPECT_EQ(box.core_count(), 2);
  EXPECT_EQ(box.level(0, 1), box.level_count() - 1);
  EXPECT_EQ(box.level(1, 2), 1);
  EXPECT_THROW(box.restricted_to({0}), std::invalid_argument);
  EXPECT_THROW(box.restricted_to({}), std::invalid_argument);
}

TEST(TopologyTest, ThisMachine) {
  const Topology box = Topology::this_machine();
  EXPECT_TRUE(box.is_this_machine());
  EXPECT_EQ(box.name(), "this machine");
  expect_valid(box);
  EXPECT_GT(box.total_memory_bytes(), std::uint64_t{1} << 20);

  const Topology same = Topology::parse("box");
  EXPECT_TRUE(Topology::parse("").is_this_machine());
  ASSERT_EQ(same.leaf_count(), box.leaf_count());
  std::vector<int> cpus;
  for (int leaf = 0; leaf < box.leaf_count(); ++leaf) {
    EXPECT_EQ(same.leaf(leaf).os_index, box.leaf(leaf).os_index);
    cpus.push_back(box.leaf(leaf).os_index);
  }
  std::sort(cpus.begin(), cpus.end());
  EXPECT_EQ(cpus, current_binding().cpus());
}

TEST(TopologyTest, ThisMachineIsWhatTheThreadMayUse) {
  const Topology box = Topology::this_machine();
  const int last = box.leaf_count() - 1;
  const Binding before = current_binding();
  const std::string refused = pin_this_thread(box, last);
  const Topology seen = Topology::this_machine();
  restore(before);
  if (!refused.empty()) {
    EXPECT_EQ(seen.leaf_count(), box.leaf_count()) << refused;
    return;
  }
  ASSERT_EQ(seen.leaf_count(), 1);
  EXPECT_EQ(seen.leaf(0).os_index, box.leaf(last).os_index);
  EXPECT_EQ(seen.level_count(), 1);
  expect_valid(seen);
}

TEST(TopologyTest, AnotherBoxNamedByTheEnvironmentIsNotThisMachine) {
  ASSERT_EQ(setenv("HWLOC_SYNTHETIC", "core:3 pu:2", 1), 0);
  const Topology box = Topology::this_machine();
  unsetenv("HWLOC_SYNTHETIC");
  EXPECT_FALSE(box.is_this_machine());
  EXPECT_EQ(box.leaf_count(), 6);
  EXPECT_NE(pin_this_thread(box, 0), "");
}

TEST(TopologyTest, AMovedFromBoxIsStillABox) {
  Topology box = Topology::synthetic("pu:2");
  const Topology other = std::move(box);
  EXPECT_EQ(box.leaf_count(), 2);  // NOLINT: that is what is promised
  box = Topology::synthetic("pu:3");
  EXPECT_EQ(other.leaf_count(), 2);
}

TEST(TopologyTest, CopiesAreReadFromManyThreads) {
  const Topology box = Topology::synthetic("numa:4 core:8 pu:2");
  std::vector<std::thread> threads;
  std::vector<int> sums(4, 0);
  for (int& sum : sums) {
    threads.emplace_back([copy = box, &sum] {
      for (int leaf = 0; leaf < copy.leaf_count(); ++leaf) sum += copy.level(0, leaf);
    });
  }
  for (std::thread& thread : threads) thread.join();
  // One sibling at level 1, fourteen leaves of the same node at 2, the other 48 at 3.
  EXPECT_EQ(sums, std::vector<int>(4, 1 + 14 * 2 + 48 * 3));
}

}  // namespace
}  // namespace postroom
