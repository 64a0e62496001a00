// The time of the algorithms that read and write the memory of others, where that can be done.
//
// A loan is a message with nothing in it: the latency of one, and a port for each; then whoever
// borrowed copies or combines, at copy_per_byte_ns for each byte read or written; then the loan
// goes back. An estimate: it knows nothing of caches, nor of memory that all share. Infinite for
// processors that share no memory.
#pragma once

#include <cstdint>

#include "collectives/models/time_model.h"

namespace postroom {

/// `loans` of each processor to the others and as many of theirs, and `bytes` that each reads and
/// writes.
double shared_loans_time(std::int64_t loans, double bytes, const TimeModel& model);

/// Of an allreduce, a scan.
double shared_slices_time(int processors, std::int64_t bytes, const TimeModel& model);
/// Of a reduce, a reduce-scatter.
double reduce_shared_time(int processors, std::int64_t bytes, const TimeModel& model);
double gather_shared_time(int processors, std::int64_t block_bytes, const TimeModel& model);

}  // namespace postroom
