// Allreduce as a reduce to processor 0 and a broadcast from it.
//
// Combines each element p - 1 times in all, where recursive doubling does so about p log2 p times.
// See collectives/allreduce.h.
#pragma once

#include <cstdint>

#include "collectives/models/cost.h"
#include "collectives/parts/operator.h"
#include "runtime/processor.h"

namespace postroom {

/// `in` and `out` have equal sizes and are one and the same or disjoint.
void allreduce_reduce_broadcast(Processor& self, ConstBytes in, Bytes out, const Operator& op,
                                Where where);
Cost allreduce_reduce_broadcast_cost(int processors, std::int64_t bytes);

}  // namespace postroom
