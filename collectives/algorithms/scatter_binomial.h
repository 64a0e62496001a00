// Scatter on a binomial tree: the blocks of a subtree travel together, largest subtree first.
//
// A subtree is a cyclic range of processors, so its blocks lie side by side from the start. See
// collectives/scatter.h.
#pragma once

#include <cstdint>

#include "collectives/models/cost.h"
#include "collectives/parts/blocks.h"
#include "runtime/processor.h"

namespace postroom {

/// `blocks` lays out `all`, which is ignored except on `root`.
void scatter_binomial(Processor& self, int root, const Blocks& blocks, ConstBytes all, Bytes mine,
                      Where where);
Cost scatter_binomial_cost(int processors, std::int64_t block_bytes);

}  // namespace postroom
