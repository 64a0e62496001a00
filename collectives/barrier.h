// Barrier: nobody goes on before all have come.
//
// MPI_Barrier; synchronization in [P]. p processors:
//
//   algorithm       rounds       bytes   how
//   machine         ⌈log2 p⌉     0       Processor::barrier, the machine's own; in shared memory,
//                                        so free in model time
//   dissemination   ⌈log2 p⌉     0       empty messages to the processor 1, 2, 4, … further
//
// What any processor wrote before the barrier is seen by all after it. Called by all processors
// with the same algorithm; nothing is allocated.
//
//   barrier(self);
#pragma once

#include <span>

#include "collectives/algorithm.h"
#include "collectives/models/cost.h"
#include "collectives/models/time_model.h"
#include "runtime/processor.h"

namespace postroom {

void barrier(Processor& self, Algorithm algorithm = Algorithm::automatic,
             Where where = Where::current());

/// What barrier has, besides automatic.
std::span<const Algorithm> barrier_algorithms();
/// What Algorithm::automatic stands for in a call of `self`, and in a model: `machine` where memory
/// is shared, `dissemination` where processors have nothing but messages.
Algorithm choose_barrier(const Processor& self);
Algorithm choose_barrier(const TimeModel& model);
/// Of the two alike.
Cost barrier_cost(int processors, Algorithm algorithm = Algorithm::automatic);
/// When all may go on: see time_model.h. A postal model has no time for the machine's own.
double barrier_time(int processors, const Algorithm& algorithm, const TimeModel& model);

}  // namespace postroom
