// Allreduce by recursive halving and doubling: a reduce-scatter, then an allgather.
//
// R. Rabenseifner, "Optimization of collective reduction operations" (ICCS 2004). As in
// allreduce_recursive_doubling.h, 2^m processors stand for all. In round k of the first half,
// processor i and that whose number differs in bit k have combined the same part of the list, for
// neighbouring ranges of processors; each sends one half of it and combines the other, so that at
// the end each has its part of the whole result. The second half takes the same way back. Both
// partners combine the lower one's range with the upper one's, hence order is kept and all get the
// same bits. Nothing is allocated.
//
// Parts are of whole lines of the cache, and may be empty. See collectives/allreduce.h.
#pragma once

#include <cstdint>

#include "collectives/models/cost.h"
#include "collectives/models/time_model.h"
#include "collectives/parts/operator.h"
#include "runtime/processor.h"

namespace postroom {

/// `in` and `out` have equal sizes and are one and the same or disjoint.
void allreduce_halving_doubling(Processor& self, ConstBytes in, Bytes out, const Operator& op,
                                Where where);
Cost allreduce_halving_doubling_cost(int processors, std::int64_t bytes);
double allreduce_halving_doubling_time(int processors, std::int64_t bytes, const TimeModel& model);

}  // namespace postroom
