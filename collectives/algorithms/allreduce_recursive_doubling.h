// Allreduce by recursive doubling: two groups of the same size exchange their results and combine
// them.
//
// Where p is no power of two, pairs of neighbours (collectives/parts/doubling.h) begin by combining
// theirs on the even one; the odd ones get the result at the end. Groups are ranges of processors
// at all times and both partners combine the lower one's result with the upper one's, hence order
// is kept and all get the same bits. See collectives/allreduce.h.
#pragma once

#include <cstdint>

#include "collectives/models/cost.h"
#include "collectives/models/time_model.h"
#include "collectives/parts/operator.h"
#include "runtime/processor.h"

namespace postroom {

/// `in` and `out` have equal sizes and are one and the same or disjoint.
void allreduce_recursive_doubling(Processor& self, ConstBytes in, Bytes out, const Operator& op,
                                  Where where);
Cost allreduce_recursive_doubling_cost(int processors, std::int64_t bytes);
double allreduce_recursive_doubling_time(int processors, std::int64_t bytes,
                                         const TimeModel& model);

}  // namespace postroom
