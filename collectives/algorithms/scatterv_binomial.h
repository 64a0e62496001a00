// Scatter of blocks of different sizes on a binomial tree: the blocks of a subtree travel together,
// each behind its size, largest subtree first. See collectives/scatterv.h.
//
// Source: collectives/algorithms/scatter_binomial.h; sizes travel
// (collectives/parts/framed_blocks.h), since between the root and a block nobody knows them.
#pragma once

#include "collectives/models/cost.h"
#include "collectives/models/time_model.h"
#include "collectives/parts/blocks.h"
#include "runtime/processor.h"

namespace postroom {

/// `blocks` lays out `all`; both are ignored except on `root`.
void scatterv_binomial(Processor& self, int root, const Blocks& blocks, ConstBytes all, Bytes mine,
                       Where where);
/// O(p).
Cost scatterv_binomial_cost(const Blocks& blocks, int root);
double scatterv_binomial_time(const Blocks& blocks, int root, const TimeModel& model);

}  // namespace postroom
