#include "fat_trees/fat_tree_of_box.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "numa/placement.h"
#include "tests/numa/boxes.h"

namespace postroom {
namespace {

/// Every subtree of the tree is one of the box, and every one of the box is there.
void expect_same_subtrees(const Topology& box, const std::vector<int>& leaves,
                          const FatTree& tree) {
  const int processors = static_cast<int>(leaves.size());
  ASSERT_EQ(tree.leaf_count(), processors);
  std::set<std::pair<int, int>> of_box;
  for (int a = 0; a < processors; ++a) {
    of_box.emplace(a, a + 1);
    for (int level = 0; level < box.level_count(); ++level) {
      const auto [first, last] = box.subtree(leaves[a], level);
      const auto begin = std::lower_bound(leaves.begin(), leaves.end(), first);
      const auto end = std::lower_bound(leaves.begin(), leaves.end(), last);
      of_box.emplace(begin - leaves.begin(), end - leaves.begin());
    }
  }
  std::set<std::pair<int, int>> of_tree;
  for (int node = 0; node < tree.node_count(); ++node) of_tree.insert(tree.leaves(node));
  EXPECT_EQ(of_tree, of_box);
  for (int level = 1; level < tree.levels(); ++level) {
    EXPECT_LE(tree.capacity(level), tree.capacity(level + 1));
  }
}

void expect_valid(const Topology& box) {
  for (const int processors : {1, 2, 3, box.core_count(), box.leaf_count(), box.leaf_count() + 3}) {
    SCOPED_TRACE(std::to_string(processors) + " processors");
    const std::vector<int> leaves = place(box, processors).leaf_of_processor;
    const FatTree tree = fat_tree_of(box, leaves);
    expect_same_subtrees(box, leaves, tree);
  }
  EXPECT_EQ(fat_tree_of(box).leaf_count(), box.leaf_count());
}

TEST(FatTreeOfBox, RegularBoxes) {
  EXPECT_GE(regular_boxes().size(), 30u);
  for (const Box& box : regular_boxes()) {
    SCOPED_TRACE(box.description);
    expect_valid(Topology::synthetic(box.description));
  }
}

TEST(FatTreeOfBox, OddBoxes) {
  for (const OddBox& box : odd_boxes()) {
    SCOPED_TRACE(box.name);
    expect_valid(box.topology);
  }
  expect_valid(Topology::this_machine());
}

TEST(FatTreeOfBox, CapacitiesFollowTheDistances) {
  const Topology box = Topology::synthetic("numa:4 core:8 pu:1");
  EXPECT_EQ(box.node_distance(0, 1), 20);
  EXPECT_EQ(fat_tree_of(box).capacities(), (std::vector<int>{1, 4}));
  // Without memory nodes everything is equally near: as many links as leaves.
  EXPECT_EQ(fat_tree_of(Topology::synthetic("package:2 l3:2 core:4 pu:1")).capacities(),
            (std::vector<int>{1, 4, 8}));
  // One leaf of each node: no capacity below 1.
  EXPECT_EQ(fat_tree_of(Topology::synthetic("numa:8 pu:1")).capacities(), std::vector<int>{1});
}

TEST(FatTreeOfBox, RefusesProcessorsOutOfOrder) {
  const Topology box = Topology::synthetic("core:4 pu:1");
  EXPECT_THROW((void)fat_tree_of(box, {0, 2, 1}), std::invalid_argument);
  EXPECT_THROW((void)fat_tree_of(box, {0, 9}), std::invalid_argument);
  EXPECT_THROW((void)fat_tree_of(box, {}), std::invalid_argument);
}

}  // namespace
}  // namespace postroom
