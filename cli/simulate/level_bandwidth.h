// A short measurement of a box as a fat tree: how fast processors copy from each other by the level
// at which they meet, all at the same time; and what that says of the links of its branches.
//
// At each level every processor that has a neighbour subtree copies a list that a processor there
// has just written. So as many copies as there are leaves below a branch cross it at once.
//
// Cost: some tens of milliseconds a level. Only where every processor has a CPU of its own do the
// figures mean anything.
//
//   measure_fat_tree(Topology::this_machine(), 2).tree.capacities();
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "fat_trees/fat_tree.h"
#include "numa/topology.h"
#include "runtime/machine.h"

namespace postroom::cli {

struct LevelBandwidth {
  int copies = 0;                ///< at the same time
  double bytes_per_ns_each = 0;  ///< the median of the repetitions; GB/s
};

inline constexpr std::size_t kMeasuredBytes = std::size_t{16} << 20;

/// By level, index 0 for level 1. Precondition: `tree` has a leaf for each processor of `machine`.
std::vector<LevelBandwidth> measure_levels(Machine& machine, const FatTree& tree,
                                           std::size_t bytes = kMeasuredBytes);

/// How many of the copies that cross a branch get, together, what one gets at level 1, where every
/// leaf has a link of its own; at least 1 and never falling. One for each level of `tree`.
std::vector<int> capacities_from(const FatTree& tree,
                                 const std::vector<LevelBandwidth>& bandwidths);

struct MeasuredFatTree {
  FatTree tree;
  std::vector<LevelBandwidth> bandwidths;  ///< by level
};

/// `box` with `processors` processors where Placement has them. Throws UsageError where it is not
/// this machine, or where processors would share a CPU.
MeasuredFatTree measure_fat_tree(const Topology& box, int processors);

std::string to_text(const MeasuredFatTree& measured);

}  // namespace postroom::cli
