// Scatter by the root alone, farthest first: on a fat tree the root's messages arrive one after
// another without meeting, n + 1 steps after the first one left, which is optimal. See
// collectives/scatter.h.
//
// Source: [F], section 3, Theorem 1. The tree is that of collectives/parts/fat_tree_rounds.h;
// processors that are equally far are served in their order. On the packet model this is
// scatter_schedule (fat_trees/fat_tree_schedules.h), step for round.
#pragma once

#include <cstdint>
#include <vector>

#include "collectives/models/cost.h"
#include "collectives/parts/blocks.h"
#include "runtime/processor.h"

namespace postroom {

/// All processors but `root`, in the order in which it serves them.
std::vector<int> farthest_first_order(int processors, int root);

/// `blocks` lays out `all`; both are ignored except on `root`.
void scatter_farthest_first(Processor& self, int root, const Blocks& blocks, ConstBytes all,
                            Bytes mine, Where where);
Cost scatter_farthest_first_cost(int processors, std::int64_t block_bytes);

}  // namespace postroom
