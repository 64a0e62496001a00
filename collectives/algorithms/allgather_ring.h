// Allgather on a ring: what came last from the left goes on to the right.
//
// Every block is received straight into its place, so nothing is allocated and nothing copied
// twice. See collectives/allgather.h.
#pragma once

#include "collectives/models/cost.h"
#include "collectives/parts/blocks.h"
#include "runtime/processor.h"

namespace postroom {

/// `blocks` lays out `all`.
void allgather_ring(Processor& self, ConstBytes mine, const Blocks& blocks, Bytes all, Where where);
Cost allgather_ring_cost(const Blocks& blocks);

}  // namespace postroom
