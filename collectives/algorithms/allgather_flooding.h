// Allgather in one round: every processor's block to all others at once.
//
// Source: [F], section 4, Theorem 2: all leaves broadcast at the same time and the routers
// replicate; n + 1 steps on a fat tree, which is optimal, with queues at the routers. A processor
// has no routers: it takes p - 1 ports to send and receive the copies in one round. Every block is
// received straight into its place. See collectives/allgather.h.
#pragma once

#include "collectives/models/cost.h"
#include "collectives/parts/blocks.h"
#include "runtime/processor.h"

namespace postroom {

/// `blocks` lays out `all`.
void allgather_flooding(Processor& self, ConstBytes mine, const Blocks& blocks, Bytes all,
                        Where where);
/// With p - 1 ports.
Cost allgather_flooding_cost(const Blocks& blocks);

}  // namespace postroom
