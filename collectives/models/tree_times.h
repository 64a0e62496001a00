// The time of trees in a TimeModel: who has the list, or the blocks of a subtree, passes it on; and
// the same backwards.
//
// Source: [P], sections 2.1 and 3; collectives/models/time_model.h. Subtrees of one size take one
// time, so the cost is that of the different sizes there are: O(log² p). Processor 0 is the root.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "collectives/models/postal_tree.h"
#include "collectives/models/time_model.h"

namespace postroom {

/// Where latency depends on the level: `children_of(processor)`, in the order in which it sends,
/// one list of `bytes` to each. O(p). Precondition: model.levels of so many processors.
double level_broadcast_time(const std::function<std::span<const int>(int)>& children_of,
                            int processors, std::int64_t bytes, const TimeModel& model);

/// One list of `bytes` from processor 0 to each of the others, by itself.
double linear_broadcast_time(int processors, std::int64_t bytes, const TimeModel& model);
/// One list of `bytes` down the tree of `rule`; where latency depends on the level, O(p).
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
