// Scan in shared memory: each processor forms the prefix sums of its slice of all lists, straight
// from where they lie, and writes them straight to where they belong.
//
// So every element is combined once, on one processor, in one phase, block by block in the cache.
// See collectives/scan.h and collectives/parts/shared_slices.h.
#pragma once

#include "collectives/parts/operator.h"
#include "runtime/processor.h"

namespace postroom {

void scan_shared(Processor& self, ConstBytes in, Bytes out, const Operator& op, Where where);
void exscan_shared(Processor& self, ConstBytes in, Bytes out, const Operator& op, Where where);

}  // namespace postroom
