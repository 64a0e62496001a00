// Reduce-scatter in shared memory: each processor combines an even slice of all lists, straight
// from where they lie, and writes each part of it into the block that it belongs to.
//
// Each lends to each other one the slice of its `in` that the other combines, and its `out`. So
// blocks of different sizes are the same work for all, every element is combined once, in the order
// of the processors, and nothing is copied between. See collectives/reduce_scatter.h.
#pragma once

#include "collectives/models/cost.h"
#include "collectives/parts/blocks.h"
#include "collectives/parts/operator.h"
#include "runtime/processor.h"

namespace postroom {

/// `blocks` lays out `in`; `out` is as large as the own block and does not overlap `in`.
void reduce_scatter_shared(Processor& self, ConstBytes in, const Blocks& blocks, Bytes out,
                           const Operator& op, Where where);
/// For elements of which whole numbers fit into a line of the cache.
Cost reduce_scatter_shared_cost(const Blocks& blocks);

}  // namespace postroom
