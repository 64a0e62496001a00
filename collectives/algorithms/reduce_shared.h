// Reduce in shared memory: each processor combines its slice of all lists, straight from where they
// lie, and writes the result straight into the root's list.
//
// Each lends to each other one the slice of its `in` that the other combines; the root lends in
// addition the slice of `out` that the other writes. Of two processors the root has the larger
// slice. See collectives/reduce.h.
#pragma once

#include <cstdint>

#include "collectives/models/cost.h"
#include "collectives/parts/operator.h"
#include "runtime/processor.h"

namespace postroom {

/// `out` is used on `root` only, and may be `in` there.
void reduce_shared(Processor& self, int root, ConstBytes in, Bytes out, const Operator& op,
                   Where where);
/// For elements of which whole numbers fit into a line of the cache; other slices can be larger by
/// an element.
Cost reduce_shared_cost(int processors, std::int64_t bytes);

}  // namespace postroom
