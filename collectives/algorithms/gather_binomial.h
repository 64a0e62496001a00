// Gather on a binomial tree: the blocks of a subtree travel together, smallest subtree first.
//
// Source: the reverse of scatter on a binomial tree; one half of the baseline in [I], section 4. A
// subtree is a cyclic range of processors, so its blocks lie side by side from the start. See
// collectives/gather.h.
#pragma once

#include <cstdint>

#include "collectives/models/cost.h"
#include "collectives/parts/blocks.h"
#include "runtime/processor.h"

namespace postroom {

/// `blocks` lays out `all`, which is ignored except on `root`.
void gather_binomial(Processor& self, int root, ConstBytes mine, const Blocks& blocks, Bytes all,
                     Where where);
Cost gather_binomial_cost(int processors, std::int64_t block_bytes);

}  // namespace postroom
