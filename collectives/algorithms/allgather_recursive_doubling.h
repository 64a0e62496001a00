// Allgather by recursive doubling: two groups of the same size exchange all that they hold.
//
// Source: [I], section 4, baseline. Only for a power of two of processors; every block is received
// straight into its place. See collectives/allgather.h.
#pragma once

#include "collectives/models/cost.h"
#include "collectives/models/time_model.h"
#include "collectives/parts/blocks.h"
#include "runtime/processor.h"

namespace postroom {

/// `blocks` are equal and lay out `all`.
void allgather_recursive_doubling(Processor& self, ConstBytes mine, const Blocks& blocks, Bytes all,
                                  Where where);
Cost allgather_recursive_doubling_cost(const Blocks& blocks);
double allgather_recursive_doubling_time(const Blocks& blocks, const TimeModel& model);

}  // namespace postroom
