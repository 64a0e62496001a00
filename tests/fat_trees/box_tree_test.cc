#include "fat_trees/box_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "numa/placement.h"
#include "tests/numa/boxes.h"

namespace postroom {
namespace {

BoxTree tree_of(const Topology& box, int processors) {
  return box_tree_of(box, place(box, processors).leaf_of_processor);
}

bool are_near(const Topology& box, int a, int b) {
  return box.leaf(a).node == box.leaf(b).node && box.leaf(a).package == box.leaf(b).package;
}

bool share_cache(const Topology& box, int a, int b) {
  return box.leaf(a).l3.first_leaf == box.leaf(b).l3.first_leaf;
}

/// Below far_level all are near each other; at far_level somebody meets who is not. The same for
/// third caches of those that are near.
void expect_levels(const Topology& box, int processors) {
  const std::vector<int> leaves = place(box, processors).leaf_of_processor;
  const BoxTree boxed = box_tree_of(box, leaves);
  int lowest = boxed.tree.levels() + 1;
  int lowest_of_caches = lowest;
  for (int a = 0; a < processors; ++a) {
    for (int b = 0; b < a; ++b) {
      const int level = boxed.tree.level(a, b);
      if (!are_near(box, leaves[a], leaves[b])) {
        lowest = std::min(lowest, level);
      } else if (!share_cache(box, leaves[a], leaves[b])) {
        lowest_of_caches = std::min(lowest_of_caches, level);
      }
    }
  }
  EXPECT_EQ(boxed.far_level, lowest);
  EXPECT_EQ(boxed.cache_level, lowest_of_caches);
}

TEST(BoxTree, KnowsWhereNodesMeet) {
  const BoxTree boxed = tree_of(Topology::parse("package:2 numa:2 core:4 pu:2"), 32);
  EXPECT_EQ(boxed.tree.levels(), 4);
  EXPECT_EQ(boxed.far_level, 3);
  EXPECT_TRUE(boxed.has_order());
  EXPECT_FALSE(tree_of(Topology::parse("core:4 pu:2"), 8).has_order());
  EXPECT_FALSE(tree_of(Topology::parse("numa:2 core:4 pu:1"), 1).has_order());

  for (const Box& box : regular_boxes()) {
    SCOPED_TRACE(box.description);
    const Topology topology = Topology::synthetic(box.description);
    for (const int p : {1, 2, 5, std::min(64, topology.leaf_count())}) {
      expect_levels(topology, p);
    }
  }
  for (const OddBox& box : odd_boxes()) {
    SCOPED_TRACE(box.name);
    for (const int p : {1, 2, 5, box.topology.leaf_count(), box.topology.leaf_count() + 3}) {
      expect_levels(box.topology, p);
    }
  }
}

TEST(BoxTree, KnowsWhereThirdCachesMeet) {
  const BoxTree node = tree_of(Topology::parse("package:1 l3:4 core:4 pu:1"), 16);
  EXPECT_EQ(node.tree.levels(), 2);
  EXPECT_EQ(node.far_level, 3);
  EXPECT_EQ(node.cache_level, 2);
  EXPECT_FALSE(node.has_order());
  EXPECT_TRUE(node.has_caches());
  EXPECT_EQ(node.border_level(), 2);

  const BoxTree two = tree_of(Topology::parse("package:2 numa:1 l3:4 core:4 pu:1"), 32);
  EXPECT_EQ(two.far_level, 3);
  EXPECT_EQ(two.cache_level, 2);
  EXPECT_TRUE(two.has_order());
  EXPECT_FALSE(two.has_caches());
  EXPECT_EQ(two.border_level(), 3);
  std::vector<int> second(16);
  std::iota(second.begin(), second.end(), 16);
  EXPECT_TRUE(part_of(two, second)->has_caches());

  // One cache, one for each core, few processors in all or for each.
  for (const auto& [description, processors] : std::vector<std::pair<std::string, int>>{
           {"package:1 l3:1 core:16 pu:1", 16},
           {"package:1 core:16 pu:1", 16},
           {"l3:16 core:1 pu:1", 16},
           {"l3:16 core:1 pu:2", 32},
           {"l3:4 core:4 pu:1", 15},
           {"l3:2 core:4 pu:1", 8},
           {"l3:8 core:2 pu:1", 16},
       }) {
    const BoxTree boxed = tree_of(Topology::parse(description), processors);
    EXPECT_FALSE(boxed.has_caches()) << description;
    EXPECT_FALSE(boxed.has_teams()) << description;
  }
  const BoxTree few = tree_of(Topology::parse("package:2 numa:1 l3:4 core:2 pu:1"), 16);
  std::vector<int> first(8);
  std::iota(first.begin(), first.end(), 0);
  EXPECT_FALSE(part_of(few, first)->has_teams());
}

TEST(BoxTree, PartsMeetWhereTheWholeDoes) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  const BoxTree whole = tree_of(Topology::parse("package:3 numa:2 core:3 pu:2"), 36);
  for (int i = 0; i < 50; ++i) {
    std::vector<int> some;
    for (int processor = 0; processor < 36; ++processor) {
      if (random() % 3 == 0) some.push_back(processor);
    }
    if (some.empty()) continue;
    const auto part = part_of(whole, some);
    ASSERT_TRUE(part.has_value());
    ASSERT_EQ(part->tree.leaf_count(), static_cast<int>(some.size()));
    for (std::size_t a = 0; a < some.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        const bool far = whole.tree.level(some[a], some[b]) >= whole.far_level;
        const int level = part->tree.level(static_cast<int>(a), static_cast<int>(b));
        EXPECT_EQ(level >= part->far_level, far) << some[a] << " and " << some[b];
      }
    }
  }
}

TEST(BoxTree, PartsOutOfOrderHaveNone) {
  const BoxTree whole = tree_of(Topology::parse("numa:2 core:4 pu:1"), 8);
  EXPECT_FALSE(part_of(whole, {1, 0}).has_value());
  EXPECT_FALSE(part_of(whole, {0, 4, 2}).has_value());
  EXPECT_FALSE(part_of(whole, {0, 1, 2})->has_order());
  EXPECT_TRUE(part_of(whole, {2, 3, 4})->has_order());
  EXPECT_FALSE(part_of(whole, {3, 4})->has_order());  // all equally far
}

}  // namespace
}  // namespace postroom
