// Gather to the root alone: scatter, farthest first, run backwards. On a fat tree the messages
// arrive one after another without meeting, n + 1 steps after the first one left, which is optimal.
// See collectives/gather.h.
//
// Source: [F], section 3 ("by simply reversing the data paths"). A message that scatter sends in
// round s to a processor that meets the root at level l would arrive at step s + 2l - 1; here that
// processor sends in the round that lies as long before the end. On the packet model this is
// gather_schedule (fat_trees/fat_tree_schedules.h), step for round.
#pragma once

#include <cstdint>

#include "collectives/models/cost.h"
#include "collectives/parts/blocks.h"
#include "runtime/processor.h"

namespace postroom {

/// `blocks` lays out `all`; both are ignored except on `root`.
void gather_farthest_first(Processor& self, int root, ConstBytes mine, const Blocks& blocks,
                           Bytes all, Where where);
Cost gather_farthest_first_cost(int processors, std::int64_t block_bytes);

}  // namespace postroom
