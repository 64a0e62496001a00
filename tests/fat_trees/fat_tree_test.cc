#include "fat_trees/fat_tree.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "fat_trees/fat_tree_halves.h"
#include "tests/thrown.h"

namespace postroom {
namespace {

using Pair = std::pair<int, int>;

void expect_valid(const FatTree& tree) {
  ASSERT_EQ(tree.nodes(0), Pair(0, tree.leaf_count()));
  ASSERT_EQ(tree.leaves(tree.root()), Pair(0, tree.leaf_count()));
  ASSERT_EQ(static_cast<int>(tree.capacities().size()), tree.levels());
  for (int level = 1; level <= tree.levels(); ++level) {
    int next = tree.nodes(level - 1).first;
    for (int node = tree.nodes(level).first; node < tree.nodes(level).second; ++node) {
      const auto [first, last] = tree.children(node);
      ASSERT_EQ(tree.level(node), level);
      ASSERT_EQ(first, next);  // children are the nodes of the level below, in order, none left out
      ASSERT_LT(first, last);
      ASSERT_EQ(tree.leaves(node), Pair(tree.leaves(first).first, tree.leaves(last - 1).second));
      for (int child = first; child < last; ++child) ASSERT_EQ(tree.parent(child), node);
      next = last;
    }
    ASSERT_EQ(next, tree.nodes(level - 1).second);
  }
  for (int a = 0; a < tree.leaf_count(); a += 1 + tree.leaf_count() / 20) {
    for (int b = 0; b < tree.leaf_count(); ++b) {
      int level = 0;
      while (tree.ancestor(a, level) != tree.ancestor(b, level)) ++level;
      ASSERT_EQ(tree.level(a, b), level) << a << ' ' << b;
    }
  }
}

TEST(FatTree, OfEightLeaves) {
  const FatTree tree = FatTree::balanced(8).exponential();
  expect_valid(tree);
  EXPECT_EQ(tree.leaf_count(), 8);
  EXPECT_EQ(tree.node_count(), 15);
  EXPECT_EQ(tree.levels(), 3);
  EXPECT_EQ(tree.root(), 14);
  EXPECT_EQ(tree.level(0, 5), 3);
  EXPECT_EQ(tree.level(6, 7), 1);
  EXPECT_EQ(tree.level(3, 3), 0);
  EXPECT_EQ(tree.leaves(tree.ancestor(5, 2)), Pair(4, 8));
  EXPECT_EQ(tree.capacities(), (std::vector<int>{1, 2, 4}));
  EXPECT_EQ(tree.capacity_above(tree.ancestor(5, 2)), 4);
}

TEST(FatTree, OfAnyNumberOfLeavesAndArity) {
  for (int arity = 2; arity <= 5; ++arity) {
    for (int leaves = 1; leaves <= 70; ++leaves) {
      SCOPED_TRACE(std::to_string(leaves) + " leaves, arity " + std::to_string(arity));
      const FatTree tree = FatTree::balanced(leaves, arity);
      expect_valid(tree);
      EXPECT_EQ(tree.levels(), ceil_log(leaves, arity));
      for (int level = 0; level < tree.levels(); ++level) {
        for (int node = tree.nodes(level).first; node < tree.nodes(level).second; ++node) {
          EXPECT_LE(
              tree.children(tree.parent(node)).second - tree.children(tree.parent(node)).first,
              arity);
          EXPECT_LE(std::abs(tree.size(node) - tree.size(tree.nodes(level).first)), 1);
        }
      }
    }
  }
  expect_valid(FatTree::balanced(4096));
  expect_valid(FatTree::balanced(4097));
}

TEST(FatTree, HalvesWithoutTheTree) {
  for (int leaves = 1; leaves <= 70; ++leaves) {
    const FatTree tree = FatTree::balanced(leaves);
    ASSERT_EQ(balanced_levels(leaves), tree.levels());
    for (int a = 0; a < leaves; ++a) {
      for (int level = 0; level <= tree.levels(); ++level) {
        const auto [first, last] = tree.leaves(tree.ancestor(a, level));
        ASSERT_EQ(balanced_subtree(leaves, a, level), (LeafSpan{first, last}))
            << leaves << ' ' << a;
        if (level == tree.levels()) continue;
        const auto [both_first, both_last] = tree.leaves(tree.ancestor(a, level + 1));
        const LeafSpan sibling = balanced_sibling(leaves, a, level);
        ASSERT_EQ(sibling.size(), both_last - both_first - (last - first));
        ASSERT_TRUE(sibling.size() == 0 || sibling.last == first || sibling.first == last);
      }
      for (int b = 0; b < leaves; ++b) ASSERT_EQ(balanced_level(leaves, a, b), tree.level(a, b));
    }
  }
}

TEST(FatTree, FromGroups) {
  // Three packages of two, one and three cores.
  const FatTree tree = FatTree::from_groups(6, {{0, 0, 1, 2, 2, 2}});
  expect_valid(tree);
  EXPECT_EQ(tree.levels(), 2);
  EXPECT_EQ(tree.children(tree.root()), Pair(6, 9));
  EXPECT_EQ(tree.level(2, 3), 2);
  EXPECT_EQ(tree.level(3, 5), 1);
  EXPECT_EQ(tree.exponential().capacities(), (std::vector<int>{1, 3}));
  expect_valid(FatTree::from_groups(1, {}));
  EXPECT_EQ(FatTree::from_groups(1, {}).levels(), 0);
  EXPECT_EQ(FatTree::from_groups(3, {}), FatTree::from_groups(3, {{7, 7, 7}}));
}

TEST(FatTree, CapacitiesInWords) {
  const FatTree tree = FatTree::balanced(8);
  EXPECT_EQ(tree.with_named_capacities("constant"), tree);
  EXPECT_EQ(tree.with_named_capacities("exponential"), tree.exponential());
  EXPECT_EQ(tree.with_named_capacities("1,1,3").capacities(), (std::vector<int>{1, 1, 3}));
  EXPECT_EQ(FatTree::balanced(1).with_named_capacities("").capacities(), std::vector<int>{});
  for (const char* text : {"", "wide", "1,2,", "1,,2", "1,2,x", "1.5,2,3", "99999999999,1,1"}) {
    EXPECT_EQ(refusal([&] { (void)tree.with_named_capacities(text); }),
              std::string("capacities: ") + text +
                  " is not allowed; constant, exponential or a list such as 1,2,4");
  }
}

TEST(FatTree, RefusesWhatIsNoTree) {
  EXPECT_EQ(refusal([] { (void)FatTree::balanced(0); }),
            "fat tree: 0 leaves are not allowed; at least 1");
  EXPECT_EQ(refusal([] { (void)FatTree::from_groups(-1, {}); }),
            "fat tree: -1 leaves are not allowed; at least 1");
  EXPECT_EQ(refusal([] { (void)FatTree::balanced(4, 1); }),
            "fat tree: arity 1 is not allowed; at least 2");
  const FatTree tree = FatTree::balanced(4);
  EXPECT_EQ(refusal([&] {
              (void)tree.with_capacities({1, 2, 3});
            }),
            "capacities: 3 are not allowed; 2, one for each level");
  EXPECT_EQ(refusal([&] {
              (void)tree.with_capacities({0, 2});
            }),
            "capacities: 0 at level 1 is not allowed; at least 1");
  EXPECT_EQ(refusal([&] {
              (void)tree.with_capacities({3, 2});
            }),
            "capacities: 2 at level 2 is not allowed; at least 3");
  EXPECT_EQ(refusal([] {
              (void)FatTree::from_groups(3, {{0, 1, 0}});
            }),
            "fat tree: the group of leaf 2 at level 1 is not allowed; groups are contiguous and "
            "contain those below");
  EXPECT_EQ(refusal([] {
              (void)FatTree::from_groups(3, {{0, 0, 1}, {0, 1, 1}});
            }),
            "fat tree: the group of leaf 1 at level 2 is not allowed; groups are contiguous and "
            "contain those below");
  EXPECT_EQ(refusal([] {
              (void)FatTree::from_groups(3, {{0, 0}});
            }),
            "fat tree: 2 groups at level 1 are not allowed; one for each of 3 leaves");
}

}  // namespace
}  // namespace postroom
