// Allreduce by the global combine of the postal model: every processor gathers the windows of its
// neighbours, all at the same time and with nobody in the middle.
//
// Source: [P], section 3; collectives/models/combine_schedule.h has the schedule. For a whole
// latency λ it takes T_λ(p), the time of a broadcast, half of what a reduce and a broadcast take.
// The terms come in the cyclic order i, i+1, …, i-1 on processor i, so the operator must commute as
// well as be associative; in floating point the processors round differently. Where the same bits
// are needed on all of them, or the operator does not commute, reduce to one and broadcast:
// allreduce_lambda_tree. Memory: one list, or two where the number of processors is not N_λ(t), and
// one more for each large message that is still under way when what it shows has grown. See
// collectives/allreduce.h.
#pragma once

#include <cstdint>

#include "collectives/models/combine_schedule.h"
#include "collectives/models/cost.h"
#include "collectives/models/time_model.h"
#include "collectives/parts/operator.h"
#include "runtime/processor.h"

namespace postroom {

/// `in` and `out` have equal sizes and are one and the same or disjoint. Throws
/// std::invalid_argument, before anything is sent, where `schedule` is for another number of
/// processors.
void allreduce_postal(Processor& self, ConstBytes in, Bytes out, const Operator& op,
                      const CombineSchedule& schedule, Where where = Where::current());
/// Rounds are those of the round model, in which λ is 1; the time is schedule.time(λ).
Cost allreduce_postal_cost(const CombineSchedule& schedule, std::int64_t bytes);
double allreduce_postal_time(const CombineSchedule& schedule, std::int64_t bytes,
                             const TimeModel& model);

}  // namespace postroom
