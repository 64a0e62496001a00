// Gather by the root alone: a message from each of the others. The baseline. See
// collectives/gather.h.
#pragma once

#include <cstdint>

#include "collectives/blocks.h"
#include "collectives/cost.h"
#include "runtime/processor.h"

namespace postroom {

/// `blocks` lays out `all`, which is ignored except on `root`.
void gather_linear(Processor& self, int root, ConstBytes mine, const Blocks& blocks, Bytes all,
                   Where where);
Cost gather_linear_cost(int processors, std::int64_t block_bytes);

}  // namespace postroom
