// Scatter by the root alone: a message to each of the others. The baseline. See
// collectives/scatter.h.
#pragma once

#include "collectives/models/cost.h"
#include "collectives/parts/blocks.h"
#include "runtime/processor.h"

namespace postroom {

/// `blocks` lays out `all`; both are ignored except on `root`.
void scatter_linear(Processor& self, int root, const Blocks& blocks, ConstBytes all, Bytes mine,
                    Where where);
Cost scatter_linear_cost(const Blocks& blocks, int root);

}  // namespace postroom
