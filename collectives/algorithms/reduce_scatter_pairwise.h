// Reduce-scatter by a direct message for each pair, combined in the order of the processors.
//
// In step i a processor sends the block of the one i further straight to it. See
// collectives/reduce_scatter.h.
#pragma once

#include "collectives/models/cost.h"
#include "collectives/parts/blocks.h"
#include "collectives/parts/operator.h"
#include "runtime/processor.h"

namespace postroom {

/// `blocks` lays out `in`; `out` is as large as the own block and does not overlap `in`.
void reduce_scatter_pairwise(Processor& self, ConstBytes in, const Blocks& blocks, Bytes out,
                             const Operator& op, Where where);
Cost reduce_scatter_pairwise_cost(const Blocks& blocks);

}  // namespace postroom
