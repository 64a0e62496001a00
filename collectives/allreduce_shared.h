// Allreduce in shared memory: each processor combines its slice of all lists, straight from where
// they lie, and writes the result straight into all.
//
// Each lends to each other one the slice of its `in` that the other combines, and the slice of its
// `out` that the other writes; when all has been given back, `out` is complete. So every element is
// combined once, on one processor, in one phase, and nothing is allocated or copied between.
// See collectives/allreduce.h.
#pragma once

#include <cstdint>

#include "collectives/cost.h"
#include "collectives/operator.h"
#include "runtime/processor.h"

namespace postroom {

void allreduce_shared(Processor& self, ConstBytes in, Bytes out, const Operator& op, Where where);
/// For elements of which whole numbers fit into a line of the cache; other slices can be larger by
/// an element.
Cost allreduce_shared_cost(int processors, std::int64_t bytes);

}  // namespace postroom
