#include "cli/simulate/level_bandwidth.h"

#include <gtest/gtest.h>

#include <memory>

#include "fat_trees/fat_tree_of_box.h"

namespace postroom::cli {
namespace {

TEST(LevelBandwidth, IsMeasuredWithAllPairsOfALevelBusy) {
  const auto box = std::make_shared<const Topology>(Topology::parse("numa:2 core:3 pu:1"));
  Machine machine({.processors = 6, .threads = 2, .topology = box});
  const auto bandwidths = measure_levels(machine, fat_tree_of(*box), 4096);
  ASSERT_EQ(bandwidths.size(), 2u);
  for (const LevelBandwidth& each : bandwidths) {
    EXPECT_EQ(each.copies, 6);
    EXPECT_GT(each.bytes_per_ns_each, 0);
  }
}

TEST(LevelBandwidth, LeavesOutWhoHasNobodyAcross) {
  const auto box = std::make_shared<const Topology>(Topology::parse("numa:2 core:3 pu:1"));
  const FatTree tree = fat_tree_of(*box, {0, 1, 2, 3});
  Machine machine({.processors = 4, .threads = 2, .topology = box});
  const auto bandwidths = measure_levels(machine, tree, 64);
  ASSERT_EQ(bandwidths.size(), 2u);
  EXPECT_EQ(bandwidths[0].copies, 3);
  EXPECT_EQ(bandwidths[1].copies, 2);
}

TEST(LevelBandwidth, GivesCapacities) {
  const FatTree tree = fat_tree_of(Topology::parse("package:2 numa:2 core:4 pu:1"));
  const auto capacities = [&](double core, double node, double package) {
    return capacities_from(tree, {{16, core}, {16, node}, {16, package}});
  };
  using List = std::vector<int>;
  EXPECT_EQ(capacities(10, 10, 10), (List{1, 4, 8}));
  EXPECT_EQ(capacities(10, 5, 2.5), (List{1, 2, 2}));
  EXPECT_EQ(capacities(10, 0.01, 0.01), (List{1, 1, 1}));
  // Faster than at level 1, or thinner above than below, is noise.
  EXPECT_EQ(capacities(10, 30, 1), (List{1, 4, 4}));
  EXPECT_EQ(tree.with_capacities(capacities(10, 5, 5)).capacities(), (List{1, 2, 4}));
  EXPECT_TRUE(capacities_from(FatTree::balanced(1), {}).empty());
}

}  // namespace
}  // namespace postroom::cli
