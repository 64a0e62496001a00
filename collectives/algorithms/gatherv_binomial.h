// Gather of blocks of different sizes on a binomial tree: the blocks of a subtree travel together,
// each behind its size, smallest subtree first. See collectives/gatherv.h.
//
// Source: collectives/algorithms/gather_binomial.h; sizes travel
// (collectives/parts/framed_blocks.h), since between a block and the root nobody knows them.
#pragma once

#include "collectives/models/cost.h"
#include "collectives/models/time_model.h"
#include "collectives/parts/blocks.h"
#include "runtime/processor.h"

namespace postroom {

/// `blocks` lays out `all`; both are ignored except on `root`.
void gatherv_binomial(Processor& self, int root, ConstBytes mine, const Blocks& blocks, Bytes all,
                      Where where);
/// That of scatterv_binomial, backwards. O(p).
Cost gatherv_binomial_cost(const Blocks& blocks, int root);
double gatherv_binomial_time(const Blocks& blocks, int root, const TimeModel& model);

}  // namespace postroom
