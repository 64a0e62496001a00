// The time of trees in a TimeModel: who has the list, or the blocks of a subtree, passes it on; and
// the same backwards.
//
// Source: [P], sections 2.1 and 3; collectives/time_model.h. Subtrees of one size take one time, so
// the cost is that of the different sizes there are: O(log² p). Processor 0 is the root.
#pragma once

#include <cstdint>

#include "collectives/postal_tree.h"
#include "collectives/time_model.h"

namespace postroom {

/// One list of `bytes` down the tree of `rule`.
double split_broadcast_time(const SplitRule& rule, int processors, std::int64_t bytes,
                            const TimeModel& model);
/// Lists of `bytes`, combined on the way up the same tree, the last to be sent to first. `rule`
/// keeps at least half.
double split_reduce_time(const SplitRule& rule, int processors, std::int64_t bytes,
                         const TimeModel& model);
/// The blocks of each subtree of a BinomialTree at once, the largest subtree first.
double binomial_scatter_time(int processors, std::int64_t block_bytes, const TimeModel& model);
/// The same up the tree, the smallest subtree first.
double binomial_gather_time(int processors, std::int64_t block_bytes, const TimeModel& model);
/// Reduces ranges that are halved, the lower half being the smaller one.
double halving_reduce_time(int processors, std::int64_t bytes, const TimeModel& model);

}  // namespace postroom
