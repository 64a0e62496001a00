// Alltoall with a direct message for each pair: in round i every processor sends to the one i
// further and receives from the one i before.
//
// Source: [I], section 3 with r = n; the one-phase schedule of [H]. Also with blocks of different
// sizes; an empty block is a message too, so that a count on which two processors disagree is
// noticed. See collectives/alltoall.h and collectives/alltoallv.h.
#pragma once

#include <cstdint>

#include "collectives/models/cost.h"
#include "collectives/parts/blocks.h"
#include "runtime/processor.h"

namespace postroom {

void alltoall_pairwise(Processor& self, ConstBytes send, const Blocks& send_blocks, Bytes receive,
                       const Blocks& receive_blocks, Where where);
Cost alltoall_pairwise_cost(int processors, std::int64_t block_bytes);

}  // namespace postroom
