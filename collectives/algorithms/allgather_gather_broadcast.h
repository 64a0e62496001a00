// Allgather as a gather to processor 0 and a broadcast from it, both on binomial trees.
//
// Source: [I], section 4, baseline. See collectives/allgather.h.
#pragma once

#include "collectives/models/cost.h"
#include "collectives/parts/blocks.h"
#include "runtime/processor.h"

namespace postroom {

/// `blocks` are equal and lay out `all`.
void allgather_gather_broadcast(Processor& self, ConstBytes mine, const Blocks& blocks, Bytes all,
                                Where where);
Cost allgather_gather_broadcast_cost(const Blocks& blocks);

}  // namespace postroom
