// Broadcast in n blocks over a circulant graph, in n - 1 + ⌈log2 p⌉ rounds: the least for any p.
//
// Source: J. L. Träff (collectives/parts/circulant_schedule.h). In every round each processor
// sends a block to one processor and receives one from another, and each computes its own schedule.
// See collectives/broadcast.h.
#pragma once

#include <cstdint>

#include "collectives/models/cost.h"
#include "collectives/models/time_model.h"
#include "runtime/processor.h"

namespace postroom {

/// Precondition: blocks >= 1.
void broadcast_block_circulant(Processor& self, int root, Bytes data, int blocks, Where where);
/// Exact when the blocks are of equal size; with a smaller last one the bytes may be fewer.
Cost broadcast_block_circulant_cost(int processors, std::int64_t bytes, int blocks);
/// O(p) for each round.
double broadcast_block_circulant_time(int processors, std::int64_t bytes, int blocks,
                                      const TimeModel& model);

}  // namespace postroom
