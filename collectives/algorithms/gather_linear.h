// Gather by the root alone: a message from each of the others. The baseline. See
// collectives/gather.h.
#pragma once

#include "collectives/models/cost.h"
#include "collectives/parts/blocks.h"
#include "runtime/processor.h"

namespace postroom {

/// `blocks` lays out `all`; both are ignored except on `root`.
void gather_linear(Processor& self, int root, ConstBytes mine, const Blocks& blocks, Bytes all,
                   Where where);
Cost gather_linear_cost(const Blocks& blocks, int root);

}  // namespace postroom
