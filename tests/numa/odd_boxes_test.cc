// Boxes as they are not in textbooks.
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "numa/hwloc_reader.h"
#include "numa/placement.h"
#include "numa/topology.h"
#include "numa/tree.h"
#include "tests/numa/boxes.h"
#include "tests/numa/invariants.h"

namespace postroom {
namespace {

const Topology& odd_box(const std::string& name) {
  static const std::vector<OddBox> boxes = odd_boxes();
  for (const OddBox& box : boxes) {
    if (box.name == name) return box.topology;
  }
  throw std::invalid_argument("no such box: " + name);
}

TEST(OddBoxesTest, AllAreValid) {
  for (const OddBox& box : odd_boxes()) {
    SCOPED_TRACE(box.name);
    expect_valid(box.topology);
    expect_metric_distances(box.topology);
    EXPECT_FALSE(box.topology.draw().empty());
    for (const int processors : {1, 2, 3, 7, 100}) {
      SCOPED_TRACE(processors);
      expect_valid(box.topology, place(box.topology, processors), processors);
    }
  }
}

TEST(OddBoxesTest, CpusOutsideEveryNodeUseTheNearest) {
  const Topology& box = odd_box("CPUs outside every node");
  EXPECT_EQ(box.node_of(0), 0);
  EXPECT_EQ(box.node_of(7), 1);
  EXPECT_TRUE(box.leaf(4).local_nodes.empty());
  EXPECT_EQ(box.node_of(4), 0);  // both are one crossing away; the first one
}

TEST(OddBoxesTest, NodesWithoutCpusAreNobodysOwn) {
  const Topology& box = odd_box("nodes without CPUs");
  EXPECT_EQ(box.node_count(), 4);
  EXPECT_EQ(box.leaf(0).local_nodes, std::vector<int>{0});
  EXPECT_EQ(box.leaf(3).local_nodes, std::vector<int>{1});
  EXPECT_EQ(box.node_distance(0, 2), 20);  // on the same package
  EXPECT_EQ(box.node_distance(1, 2), 30);
  EXPECT_EQ(box.node_distance(0, 3), 30);  // on the machine
  EXPECT_EQ(box.total_memory_bytes(), std::uint64_t{19} << 30);
}

TEST(OddBoxesTest, ANodeWithoutMemoryIsPassedOver) {
  const Topology& box = odd_box("a node without memory");
  EXPECT_EQ(box.leaf(2).local_nodes, std::vector<int>{1});
  EXPECT_EQ(box.node_of(2), 0);
}

TEST(OddBoxesTest, HybridLevelsMeanTheSameEverywhere) {
  const Topology& box = odd_box("hybrid");
  ASSERT_EQ(box.level_count(), 4);
  EXPECT_EQ(box.level_name(1), "core");
  EXPECT_EQ(box.level_name(2), "L2");
  EXPECT_EQ(box.core_count(), 6);
  EXPECT_EQ(box.level(0, 1), 1);  // siblings of a fast core
  EXPECT_EQ(box.level(4, 5), 2);  // slow cores share an L2, not a core
  EXPECT_EQ(box.level(0, 2), 3);
  EXPECT_EQ(box.subtree(5, 1), std::pair(5, 6));
  EXPECT_EQ(box.subtree(0, 2), std::pair(0, 2));
  EXPECT_EQ(default_processors(box), 6);
}

TEST(OddBoxesTest, UnequalBranches) {
  const Topology& box = odd_box("unequal branches");
  EXPECT_EQ(box.leaf_count(), 6);
  EXPECT_EQ(box.level(0, 1), 1);
  EXPECT_EQ(box.level(0, 2), 2);
  EXPECT_EQ(box.level(0, 3), 3);
  EXPECT_EQ(box.level(0, 4), 4);
  EXPECT_EQ(box.level(0, 5), 5);
  EXPECT_EQ(box.subtree(5, 4), std::pair(5, 6));
  EXPECT_EQ(box.node_of(5), 0);
}

TEST(OddBoxesTest, AContradictoryTreeIsRefused) {
  const auto refused = [](Tree tree) {
    EXPECT_THROW(Topology::from_tree(std::move(tree)), std::invalid_argument);
  };
  Tree tree;
  tree.root = object(ObjectKind::kMachine, {});
  refused(tree);  // no PU
  tree.root = object(ObjectKind::kMachine, {object(ObjectKind::kCore, {pu(0)})});
  tree.root.children[0].depth = 0;
  refused(tree);  // a child as high as its parent
  tree.root = object(ObjectKind::kMachine, {pu(0)}, {1});
  refused(tree);  // no such node
  tree.root = object(ObjectKind::kMachine, {pu(0)});
  tree.root.children[0].children.push_back(pu(1));
  refused(tree);  // a PU above a PU
}

TEST(OddBoxesTest, StatedDistancesAreKeptEvenWhenUneven) {
  Tree tree;
  tree.root = object(ObjectKind::kMachine, {object(ObjectKind::kPackage, {pu(0)}, {0}),
                                            object(ObjectKind::kPackage, {pu(1)}, {1})});
  tree.nodes = {{0, 1, true}, {1, 1, true}};
  tree.distances = {10, 17, 28, 10};
  const Topology box = Topology::from_tree(tree);
  EXPECT_EQ(box.node_distance(0, 1), 17);
  EXPECT_EQ(box.node_distance(1, 0), 28);
}

TEST(OddBoxesTest, RestrictingMovesMemoryUp) {
  const Topology box = odd_box("nodes without CPUs").restricted_to({2, 3});
  EXPECT_EQ(box.leaf_count(), 2);
  EXPECT_EQ(box.node_count(), 4);  // the memory of package 0 can still be used
  EXPECT_EQ(box.nodes_near_leaves(), 1);
  EXPECT_FALSE(box.node(0).has_cpus);
  EXPECT_EQ(box.node_of(0), 1);
  expect_valid(box);
}

TEST(OddBoxesTest, ObjectsWithoutCpusAreDropped) {
  Tree tree;
  tree.root = object(ObjectKind::kMachine,
                     {object(ObjectKind::kPackage, {object(ObjectKind::kCore, {pu(0)})}, {0}),
                      object(ObjectKind::kPackage, {object(ObjectKind::kCore, {}, {2})}, {1})});
  tree.nodes = {{0, 5, true}, {1, 5, true}, {2, 5, true}};
  drop_empty(tree);
  const Topology box = Topology::from_tree(tree);
  EXPECT_EQ(box.package_count(), 1);
  EXPECT_EQ(box.total_memory_bytes(), 15U);
  EXPECT_FALSE(box.node(1).has_cpus);
  EXPECT_FALSE(box.node(2).has_cpus);
  EXPECT_EQ(box.leaf(0).local_nodes, std::vector<int>{0});

  Tree empty;
  empty.root = object(ObjectKind::kMachine, {object(ObjectKind::kCore, {})});
  EXPECT_THROW(drop_empty(empty), std::invalid_argument);
}

// The box as read, against the CPUs that the system lets us use.

TEST(HiddenShapeTest, KnownCpusRestrict) {
  const Tree tree = this_machine_from(read_synthetic("package:2 core:2 pu:1"), {1, 2});
  const Topology box = Topology::from_tree(tree);
  EXPECT_TRUE(box.notes().empty());
  EXPECT_EQ(box.leaf_count(), 2);
  EXPECT_EQ(box.package_count(), 2);
}

TEST(HiddenShapeTest, UnknownCpusMakeAFlatBoxWithANote) {
  Tree read = read_synthetic("package:2 core:2 pu:1");
  read.is_this_machine = true;
  const Topology box = Topology::from_tree(this_machine_from(read, {2, 3, 64}));
  ASSERT_EQ(box.notes().size(), 1U);
  EXPECT_NE(box.notes()[0].find("hides"), std::string::npos);
  EXPECT_TRUE(box.is_this_machine());
  ASSERT_EQ(box.leaf_count(), 3);
  EXPECT_EQ(box.leaf(2).os_index, 64);
  EXPECT_EQ(box.level_count(), 2);
  EXPECT_GT(box.total_memory_bytes(), 0U);
  expect_valid(box);
  // The user hears of it from the placement.
  EXPECT_EQ(place(box, 3).notes, box.notes());
}

TEST(HiddenShapeTest, NothingKnownAtAll) {
  Tree unread;
  unread.root = object(ObjectKind::kMachine, {});
  const Topology box = Topology::from_tree(this_machine_from(unread, {}));
  EXPECT_GE(box.leaf_count(), 1);
  EXPECT_EQ(box.leaf(0).os_index, 0);
  EXPECT_EQ(box.notes().size(), 1U);
}

}  // namespace
}  // namespace postroom
