#include "tests/numa/invariants.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <vector>

namespace postroom {
namespace {

/// Small boxes completely, of large ones a sample.
std::vector<int> some_leaves(const Topology& topology) {
  std::vector<int> leaves;
  const int step = std::max(1, topology.leaf_count() / 24);
  for (int leaf = 0; leaf < topology.leaf_count(); leaf += step) leaves.push_back(leaf);
  if (leaves.back() != topology.leaf_count() - 1) leaves.push_back(topology.leaf_count() - 1);
  return leaves;
}

void expect_ultrametric(const Topology& topology) {
  const std::vector<int> leaves = some_leaves(topology);
  for (const int a : leaves) {
    for (const int b : leaves) {
      const int ab = topology.level(a, b);
      ASSERT_EQ(ab == 0, a == b) << a << ' ' << b;
      ASSERT_LT(ab, topology.level_count());
      ASSERT_EQ(ab, topology.level(b, a));
      for (const int c : leaves) {
        ASSERT_LE(topology.level(a, c), std::max(ab, topology.level(b, c)))
            << a << ' ' << b << ' ' << c;
      }
    }
  }
}

void expect_contiguous_subtrees(const Topology& topology) {
  for (const int leaf : some_leaves(topology)) {
    for (int level = 0; level < topology.level_count(); ++level) {
      const auto [first, last] = topology.subtree(leaf, level);
      for (int other = 0; other < topology.leaf_count(); ++other) {
        const bool inside = first <= other && other < last;
        ASSERT_EQ(inside, topology.level(leaf, other) <= level)
            << "leaf " << leaf << " level " << level << " other " << other;
      }
    }
    EXPECT_EQ(topology.subtree(leaf, 0), std::pair(leaf, leaf + 1));
    EXPECT_EQ(topology.subtree(leaf, topology.level_count() - 1),
              std::pair(0, topology.leaf_count()));
  }
}

void expect_every_level_joins(const Topology& topology) {
  std::set<int> levels;
  for (int a = 0; a < topology.leaf_count(); ++a) {
    levels.insert(topology.level(a, 0));
    if (a > 0) levels.insert(topology.level(a - 1, a));
  }
  EXPECT_EQ(static_cast<int>(levels.size()), topology.level_count());
  for (int level = 0; level < topology.level_count(); ++level) {
    EXPECT_FALSE(topology.level_name(level).empty());
    EXPECT_FALSE(topology.level_parts(level).empty());
  }
  EXPECT_EQ(topology.level_name(topology.level_count() - 1), "machine");
}

void expect_numbered_cores(const Topology& topology) {
  int core = -1;
  int sibling = 0;
  for (int i = 0; i < topology.leaf_count(); ++i) {
    const Leaf& leaf = topology.leaf(i);
    if (leaf.core == core) {
      EXPECT_EQ(leaf.sibling, ++sibling);
    } else {
      EXPECT_EQ(leaf.core, ++core) << "leaf " << i;
      EXPECT_EQ(leaf.sibling, sibling = 0);
    }
    EXPECT_LT(leaf.package, topology.package_count());
  }
  EXPECT_EQ(core + 1, topology.core_count());
}

void expect_nodes(const Topology& topology) {
  ASSERT_GE(topology.node_count(), 1);
  for (int leaf = 0; leaf < topology.leaf_count(); ++leaf) {
    const int node = topology.node_of(leaf);
    ASSERT_GE(node, 0);
    ASSERT_LT(node, topology.node_count());
    for (const int local : topology.leaf(leaf).local_nodes) {
      EXPECT_TRUE(topology.node(local).has_cpus);
    }
  }
}

}  // namespace

void expect_valid(const Topology& topology) {
  ASSERT_GE(topology.leaf_count(), 1);
  ASSERT_GE(topology.level_count(), 1);
  expect_ultrametric(topology);
  expect_contiguous_subtrees(topology);
  expect_every_level_joins(topology);
  expect_numbered_cores(topology);
  expect_nodes(topology);
}

void expect_metric_distances(const Topology& topology) {
  for (int a = 0; a < topology.node_count(); ++a) {
    EXPECT_EQ(topology.node_distance(a, a), 10);
    for (int b = 0; b < topology.node_count(); ++b) {
      EXPECT_EQ(topology.node_distance(a, b), topology.node_distance(b, a));
      if (a != b) {
        EXPECT_GE(topology.node_distance(a, b), 20);
      }
    }
  }
}

void expect_valid(const Topology& topology, const Placement& placement, int processors) {
  const std::vector<int>& leaves = placement.leaf_of_processor;
  ASSERT_EQ(static_cast<int>(leaves.size()), processors);
  EXPECT_TRUE(std::is_sorted(leaves.begin(), leaves.end()));
  EXPECT_GE(leaves.front(), 0);
  EXPECT_LT(leaves.back(), topology.leaf_count());
  EXPECT_FALSE(placement.reason.empty());

  std::vector<int> on_leaf(topology.leaf_count(), 0);
  std::vector<int> on_core(topology.core_count(), 0);
  std::vector<int> leaves_of_core(topology.core_count(), 0);
  for (const int leaf : leaves) ++on_leaf[leaf];
  for (int leaf = 0; leaf < topology.leaf_count(); ++leaf) {
    on_core[topology.leaf(leaf).core] += on_leaf[leaf];
    ++leaves_of_core[topology.leaf(leaf).core];
  }
  const auto [fewest, most] = std::minmax_element(on_leaf.begin(), on_leaf.end());
  EXPECT_LE(*most - *fewest, 1);
  // A core has a processor more than another only when that one is full, or it is one processor.
  for (int a = 0; processors <= topology.leaf_count() && a < topology.core_count(); ++a) {
    for (int b = 0; b < topology.core_count(); ++b) {
      const bool b_is_full = on_core[b] == leaves_of_core[b];
      ASSERT_TRUE(on_core[a] <= on_core[b] + 1 || b_is_full) << "cores " << a << ' ' << b;
    }
  }
}

}  // namespace postroom
