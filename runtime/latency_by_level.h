// A λ for each level of the box: the latency of a pair of processors is that of the level at which
// they meet.
//
// Source: [P] has one λ; [F] has the tree. Latencies never fall towards the root.
// Cost of a question: O(levels). Memory: the tree.
// Errors: another number of latencies than levels, or one that is smaller than the one before:
// std::invalid_argument; below 1: from the clock.
//
//   const FatTree tree = fat_tree_of(box, place(box, 64).leaf_of_processor);
//   VirtualClock clock(latency_by_level(tree, {Rational(1), Rational(2), Rational(4)}));
#pragma once

#include <vector>

#include "fat_trees/fat_tree.h"
#include "runtime/postal_parameters.h"
#include "runtime/rational.h"

namespace postroom {

/// What algorithms that know the box find at Latency::levels().
struct LatencyLevels {
  FatTree tree;                    ///< its leaves are the processors
  std::vector<Rational> by_level;  ///< λ_1, λ_2, …, never falling
};

/// Processors are the leaves of `tree`. `by_level[h - 1]` is λ between processors that meet at
/// level h; a processor's messages to itself have that of level 1, or 1 if there is no level.
Latency latency_by_level(const FatTree& tree, const std::vector<Rational>& by_level);

/// Throws std::invalid_argument where a latency by level is of a tree of fewer leaves.
void require_leaves(const Latency& lambda, int processors);

}  // namespace postroom
