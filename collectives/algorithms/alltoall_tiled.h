// Alltoall in shared memory, in tiles: each processor copies one tile of the matrix of all blocks.
//
// Block (i, j) of the p by p matrix goes from processor i to processor j. R is the largest divisor
// of p with R² ≤ p, C = p / R. Row group g holds the C processors from g·C on, column group k the R
// from k·R on, and processor g·C + k copies the blocks of row group g and column group k: R·C = p
// blocks, as many as with every other order. So it reads C lists and writes R, in runs of blocks
// that lie side by side, where `shared` reads p lists and writes one; and it deals with about 2√p
// others instead of p - 1. Where p is a prime number a tile is a column, and this is `shared` with
// loans.
//
// `automatic` takes it by messages where processors outnumber the cores (docs/automatic.md).
#pragma once

#include <cstdint>

#include "collectives/models/cost.h"
#include "collectives/models/time_model.h"
#include "collectives/parts/blocks.h"
#include "runtime/processor.h"

namespace postroom {

/// Precondition: equal blocks.
void alltoall_tiled(Processor& self, ConstBytes send, Bytes receive, const Blocks& blocks,
                    Where where);
Cost alltoall_tiled_cost(int processors, std::int64_t block_bytes);
double alltoall_tiled_time(int processors, std::int64_t block_bytes, const TimeModel& model);

}  // namespace postroom
