// The box as its processors share it, for whoever orders what they do by it.
//
// Leaf i of the tree is processor i; a subtree is what shares a leaf, a core, a cache, a NUMA node,
// a package, as far as something branches there, and holds a contiguous range of processors
// (numa/fat_tree_of_box.h). Two processors are near each other if they have one NUMA node and one
// package in common; from `far_level` up, subtrees hold processors that are not.
//
// Cost: made in O(processors · levels). Errors: as fat_tree_of.
//
//   const Topology box = Topology::parse("package:2 numa:2 core:4 pu:2");
//   const BoxTree boxed = box_tree_of(box, place(box, 32).leaf_of_processor);
//   boxed.tree.levels();   // 4: core, NUMA node, package, machine
//   boxed.far_level;       // 3: two nodes meet in a package
#pragma once

#include <optional>
#include <vector>

#include "numa/fat_tree.h"
#include "numa/topology.h"

namespace postroom {

struct BoxTree {
  FatTree tree;
  /// The lowest level at which processors of different NUMA nodes or packages meet; one more than
  /// there are levels where none do.
  int far_level;

  /// Whether there is an order to follow: not all processors are near each other, nor all equally
  /// far.
  bool has_order() const { return far_level <= tree.levels() && tree.levels() > 1; }
};

/// `leaf_of_processor` never falls.
BoxTree box_tree_of(const Topology& box, const std::vector<int>& leaf_of_processor);

/// The same of some processors, which become 0, 1, …; nothing unless they are in rising order, so
/// that every subtree is a range of them.
std::optional<BoxTree> part_of(const BoxTree& whole, const std::vector<int>& processors);

}  // namespace postroom
