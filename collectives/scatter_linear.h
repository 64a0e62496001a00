// Scatter by the root alone: a message to each of the others. The baseline. See
// collectives/scatter.h.
#pragma once

#include <cstdint>

#include "collectives/blocks.h"
#include "collectives/cost.h"
#include "runtime/processor.h"

namespace postroom {

/// `blocks` lays out `all`, which is ignored except on `root`.
void scatter_linear(Processor& self, int root, const Blocks& blocks, ConstBytes all, Bytes mine,
                    Where where);
Cost scatter_linear_cost(int processors, std::int64_t block_bytes);

}  // namespace postroom
