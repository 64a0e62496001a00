// Broadcast along the best tree for a box whose levels differ in latency.
//
// See collectives/models/level_tree_of_box.h for the tree, and collectives/models/level_tree.h for
// what is proved of it. Rounds: as many as the tree is deep or wide, no fewer than ⌈log2 p⌉; every
// processor but the root receives once.
//
// Without a tree, it depends on the clock:
//
//   a λ for each level (runtime/latency_by_level.h)   the tree for these and the list's units
//   one λ                                             the λ-tree for it
//   a function of the pair that does not say how      the λ-tree for the λ of the first and the
//                                                     last processor
//   the wall clock, where nothing is known            the λ-tree for λ = 1
//
// Trees for levels are made by whoever comes first and kept for the others, the last eight.
#pragma once

#include <cstdint>
#include <memory>

#include "collectives/models/cost.h"
#include "collectives/models/level_tree_of_box.h"
#include "collectives/models/time_model.h"
#include "runtime/processor.h"

namespace postroom {

/// `data` has the same size on all processors; it is read on `root` and overwritten on the others.
/// Wrong roots, and a tree for another number of processors or another root, are
/// std::invalid_argument before any message is sent.
void broadcast_level_tree(Processor& self, int root, Bytes data, const LevelTreeOfBox& tree,
                          Where where = Where::current());
void broadcast_level_tree(Processor& self, int root, Bytes data, Where where = Where::current());

/// The tree for these latencies: made, or found among the last ones. From any thread.
std::shared_ptr<const LevelTreeOfBox> level_tree_for(
    const std::shared_ptr<const LatencyLevels>& levels, int root, std::int64_t units);

/// On the wall clock, and in a model; the root of the latter is processor 0.
Cost broadcast_level_tree_cost(int processors, std::int64_t bytes);
double broadcast_level_tree_time(int processors, std::int64_t bytes, const TimeModel& model);

}  // namespace postroom
