// Allreduce on a ring: slices go round once and are combined on the way, then once more as they
// are.
//
// P. Patarasuk and X. Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations"
// (2009). Slice s begins with processor s + 1 and is complete on processor s, so its terms are in
// the cyclic order s + 1, s + 2, …, s: the operator must commute. All processors get the same bits.
// Nothing is allocated.
//
// Slices are of whole lines of the cache (collectives/parts/slices.h), and may be empty. See
// collectives/allreduce.h.
#pragma once

#include <cstdint>

#include "collectives/models/cost.h"
#include "collectives/models/time_model.h"
#include "collectives/parts/operator.h"
#include "runtime/processor.h"

namespace postroom {

/// `in` and `out` have equal sizes and are one and the same or disjoint.
void allreduce_ring(Processor& self, ConstBytes in, Bytes out, const Operator& op, Where where);
Cost allreduce_ring_cost(int processors, std::int64_t bytes);
double allreduce_ring_time(int processors, std::int64_t bytes, const TimeModel& model);

}  // namespace postroom
