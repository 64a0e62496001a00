// An algorithm of [F] on a given fat tree: what the packet model counts, beside formula and bound.
//
//   operation   algorithm          schedule
//   broadcast   flooding           routers replicate
//   scatter     farthest_first
//   gather      farthest_first     scatter backwards
//   allgather   flooding           all leaves broadcast at once
//   allgather   queueless          in phases, one leaf of each half at a time
//   alltoall    fat_tree           pipelined phases, in the order for any capacities
//   alltoall    fat_tree_phased    the same, one phase after the other
//   alltoall    constant_order     pipelined, in the order that [F] gives for the CBFT
//   alltoall    exponential_order  pipelined, in the order that [F] gives for the EBFT
//   alltoall    scatters           a scatter of each leaf, one after the other
//
// Cost: that of the packet model (fat_trees/fat_tree_network.h).
// Errors: an operation or algorithm that there is not, a root that is no leaf:
// std::invalid_argument.
//
//   const FatTreeStudy study = study_fat_tree("alltoall", "fat_tree", FatTree::balanced(64));
//   study.report.steps;    // 1376
//   *study.formula;        // 1376
//   study.lower_bound;     // 1035
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "fat_trees/fat_tree.h"
#include "fat_trees/fat_tree_network.h"

namespace postroom {

struct FatTreeStudy {
  FatTreeReport report;
  /// What [F] states, where it states something: for binary trees with a power of two of leaves,
  /// full duplex, and, but for total exchange, one link at each leaf.
  std::optional<std::int64_t> formula;
  /// For full duplex; no algorithm takes fewer steps.
  std::int64_t lower_bound = 0;
};

struct FatTreeStudyName {
  std::string_view operation;
  std::string_view algorithm;
};

/// The table above.
std::span<const FatTreeStudyName> fat_tree_studies();

/// The lower bound alone, of any algorithm for `operation`. `root` is ignored where there is none.
std::int64_t fat_tree_lower_bound(std::string_view operation, const FatTree& tree, int root = 0);

FatTreeStudy study_fat_tree(std::string_view operation, std::string_view algorithm,
                            const FatTree& tree, int root = 0, Duplex duplex = Duplex::full,
                            const StepObserver& after_step = {});

}  // namespace postroom
