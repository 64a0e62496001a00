// The box as a fat tree of its processors.
//
// Leaf i is processor i, where it is placed; routers are what the processors share: a core, a
// cache, a NUMA node, a package, the machine, as far as something branches there. Processors that
// share a leaf of the box meet below it. Placed processors (numa/placement.h) are in the order of
// the box's leaves, so every subtree holds a contiguous range of processors.
//
// Capacities say how many processors below a branch can use it at full speed at the same time: all
// of them, divided by how much farther memory is on the other side (node_distance, relative to that
// within a node), but never fewer than below. It is a guess from what the box states about itself,
// good for comparing orders and algorithms, not a measurement.
//
// Cost: O(processors · levels). Errors: processors out of order, a leaf that is not there:
// std::invalid_argument.
//
//   const Topology box = Topology::parse("numa:4 core:8 pu:1");
//   const FatTree tree = fat_tree_of(box, place(box, 32).leaf_of_processor);
//   tree.levels();       // 2: NUMA node, machine
//   tree.capacities();   // {1, 4}: eight cores, twice as far
#pragma once

#include <string>
#include <vector>

#include "fat_trees/fat_tree.h"
#include "numa/topology.h"

namespace postroom {

/// `leaf_of_processor` never falls.
FatTree fat_tree_of(const Topology& box, const std::vector<int>& leaf_of_processor);

/// The same with a leaf for each of the box's leaves.
FatTree fat_tree_of(const Topology& box);

}  // namespace postroom
