// Allgather in phases, from the root of a fat tree down: in the phase of level h the processors of
// each half take turns to send their block to all of the other half. On the tree no packet ever
// waits.
//
// Source: the multinode broadcast without queues in n + 2L - 2 steps that [F], section 4.1, cites
// without saying how; this construction is ours (fat_trees/fat_tree_schedules.h,
// multinode_queueless_schedule, step for round). There the routers replicate; a processor needs a
// port for each of the other half, ⌈p/2⌉ at most. Every block is received straight into its place.
// See collectives/allgather.h.
#pragma once

#include "collectives/models/cost.h"
#include "collectives/models/time_model.h"
#include "collectives/parts/blocks.h"
#include "runtime/processor.h"

namespace postroom {

/// `blocks` lays out `all`.
void allgather_queueless(Processor& self, ConstBytes mine, const Blocks& blocks, Bytes all,
                         Where where);
/// With ⌈p/2⌉ ports; p - 1 + O(log p) rounds. Precondition: all blocks are equal.
Cost allgather_queueless_cost(const Blocks& blocks);
/// Exact for up to kMostExactQueueless processors, with O(p²) steps; for more a bound, at most 10 %
/// too long.
double allgather_queueless_time(int processors, std::int64_t block_bytes, const TimeModel& model);
inline constexpr int kMostExactQueueless = 256;

}  // namespace postroom
