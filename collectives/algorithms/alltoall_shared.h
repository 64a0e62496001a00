// Alltoall and allgather in shared memory: all blocks are under way at the same time, and each is
// read once, straight from where it lies.
//
// Every processor first tells all the others where their blocks are, then takes theirs, beginning
// with its neighbour; on a box of several nodes the nearest first, so that each subtree is finished
// inside before anybody reads across its border (collectives/parts/partner_order.h). Nobody
// waits for a round to end, so with many processors on a thread there is one switch of stacks where
// a round for each pair has p - 1; and no block passes through a third processor. (For blocks below
// a line there is `bruck`.) Processors that share no memory send the same messages, all of them at
// once. See collectives/alltoall.h, collectives/alltoallv.h, collectives/allgather.h.
#pragma once

#include "collectives/parts/blocks.h"
#include "runtime/processor.h"

namespace postroom {

/// Costs what alltoall_pairwise does.
void alltoall_shared(Processor& self, ConstBytes send, const Blocks& send_blocks, Bytes receive,
                     const Blocks& receive_blocks, Where where);
/// Costs what allgather_ring does.
void allgather_shared(Processor& self, ConstBytes mine, const Blocks& blocks, Bytes all,
                      Where where);

}  // namespace postroom
