// Allreduce in shared memory: each processor combines its slice of all lists, straight from where
// they lie, and writes the result straight into all.
//
// So every element is combined once, on one processor, in one phase, and nothing is copied
// between. See collectives/allreduce.h and collectives/parts/shared_slices.h.
#pragma once

#include "collectives/parts/operator.h"
#include "runtime/processor.h"

namespace postroom {

void allreduce_shared(Processor& self, ConstBytes in, Bytes out, const Operator& op, Where where);
}  // namespace postroom
