// Broadcast as a scatter and an allgather: each processor gets a block of the list, then all get
// all blocks.
//
// M. Barnett, D. Payne, R. van de Geijn and J. Watts, "Broadcasting on meshes with wormhole
// routing" (1996); what MPI libraries take for long lists. The scatter goes down a binomial tree,
// the allgather by the circulant algorithm, which takes as few rounds for any p. The blocks are of
// equal size but for the last ones, which may be smaller or empty. Allocates half of the list at
// most, and 16 p bytes. See collectives/broadcast.h.
#pragma once

#include <cstdint>

#include "collectives/models/cost.h"
#include "collectives/models/time_model.h"
#include "runtime/processor.h"

namespace postroom {

void broadcast_scatter_allgather(Processor& self, int root, Bytes data, Where where);
/// As if all blocks were as large as the largest.
Cost broadcast_scatter_allgather_cost(int processors, std::int64_t bytes);
/// For root 0 and up to kMostExactProcessors exact, with up to a millisecond; for more, the sum of
/// the times of both halves, with blocks that are all as large as the largest.
double broadcast_scatter_allgather_time(int processors, std::int64_t bytes, const TimeModel& model);
inline constexpr int kMostExactProcessors = 1024;

}  // namespace postroom
