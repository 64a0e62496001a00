// Scan by windows that double: in each round every processor sends the combination of a window of
// processors that ends with itself, and prepends the one that comes in.
//
// Source: W. D. Hillis, G. L. Steele, "Data Parallel Algorithms" (1986). Cost: ⌈log2 p⌉ rounds of
// the list; at most one list of memory, exscan two. Errors: those of collectives/scan.h.
//
// What is sent is read where it lies and combined from there, so that nothing is copied but a list
// that is to be replaced while it is read.
#pragma once

#include <cstdint>

#include "collectives/models/cost.h"
#include "collectives/models/time_model.h"
#include "collectives/parts/operator.h"
#include "runtime/processor.h"

namespace postroom {

/// `in` and `out` have equal sizes and are one and the same or disjoint.
void scan_hillis_steele(Processor& self, ConstBytes in, Bytes out, const Operator& op, Where where);
void exscan_hillis_steele(Processor& self, ConstBytes in, Bytes out, const Operator& op,
                          Where where);
/// Of either.
Cost scan_hillis_steele_cost(int processors, std::int64_t bytes);
double scan_hillis_steele_time(int processors, std::int64_t bytes, const TimeModel& model);

}  // namespace postroom
