// Gather in shared memory: the root lends to each processor the place of its block, and all write
// at the same time; the root copies its own block and then helps one after the other. See
// collectives/gather.h.
#pragma once

#include <cstdint>

#include "collectives/models/cost.h"
#include "collectives/parts/blocks.h"
#include "runtime/processor.h"

namespace postroom {

/// `all` is used on `root` only, and so are `blocks`, but for about how much they are together.
void gather_shared(Processor& self, int root, ConstBytes mine, const Blocks& blocks, Bytes all,
                   Where where);
/// A loan counts as a message of its size, though what it brings goes the other way.
Cost gather_shared_cost(int processors, std::int64_t block_bytes);

}  // namespace postroom
