// The box as its processors share it, for whoever orders what they do by it.
//
// Leaf i of the tree is processor i; a subtree is what shares a leaf, a core, a cache, a NUMA node,
// a package, as far as something branches there, and holds a contiguous range of processors
// (fat_trees/fat_tree_of_box.h). Two processors are near each other if they have one NUMA node and
// one package in common; from `far_level` up, subtrees hold processors that are not. Some nodes
// have several third caches (the core complexes of an AMD EPYC): from `cache_level` up, subtrees
// hold processors of one node that share none.
//
// Cost: made in O(processors · levels). Errors: as fat_tree_of.
//
//   const Topology box = Topology::parse("package:2 numa:2 core:4 pu:2");
//   const BoxTree boxed = box_tree_of(box, place(box, 32).leaf_of_processor);
//   boxed.tree.levels();   // 4: core, NUMA node, package, machine
//   boxed.far_level;       // 3: two nodes meet in a package
//   boxed.cache_level;     // 5: nowhere
#pragma once

#include <optional>
#include <vector>

#include "fat_trees/fat_tree.h"
#include "numa/topology.h"

namespace postroom {

struct BoxTree {
  FatTree tree;
  /// The lowest level at which processors of different NUMA nodes or packages meet; one more than
  /// there are levels where none do.
  int far_level;
  /// The lowest level at which processors meet that are near each other and have third caches of
  /// their own; one more than there are levels where none do.
  int cache_level;

  /// Whether there is an order to follow: not all processors are near each other, nor all equally
  /// far.
  bool has_order() const { return far_level <= tree.levels() && tree.levels() > 1; }
  /// Whether all are near each other, and so many that it may pay to enter each third cache once:
  /// 16 processors, four for each of these caches. That is a guess, nobody has measured it.
  bool has_caches() const;
  /// Whether processors are in several teams (collectives/parts/teams.h).
  bool has_teams() const { return has_order() || has_caches(); }
  /// The lowest level at which teams meet. Precondition: has_teams().
  int border_level() const { return has_order() ? far_level : cache_level; }
};

/// `leaf_of_processor` never falls.
BoxTree box_tree_of(const Topology& box, const std::vector<int>& leaf_of_processor);

/// The same of some processors, which become 0, 1, …; nothing unless they are in rising order, so
/// that every subtree is a range of them. Its cache_level counts where all are near each other.
std::optional<BoxTree> part_of(const BoxTree& whole, const std::vector<int>& processors);

}  // namespace postroom
