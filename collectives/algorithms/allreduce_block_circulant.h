// Allreduce as a reduce-scatter and an allgather, both in pieces over a circulant graph.
//
// Source: J. L. Träff (collectives/parts/circulant_pieces.h). 2 (n - 1 + ⌈log2 p⌉) rounds with
// n pieces to a block; with one piece the fewest bytes there are, about 2 m (p - 1) / p. All
// processors get the same bits. The operator must commute. See collectives/allreduce.h.
#pragma once

#include <cstdint>

#include "collectives/models/cost.h"
#include "collectives/models/time_model.h"
#include "collectives/parts/operator.h"
#include "runtime/processor.h"

namespace postroom {

/// `in` and `out` have equal sizes and are one and the same or disjoint. Precondition: pieces >= 1.
void allreduce_block_circulant(Processor& self, ConstBytes in, Bytes out, const Operator& op,
                               int pieces, Where where);
/// For elements of one byte; larger ones are not cut, and then it is a little more.
/// As the time below.
Cost allreduce_block_circulant_cost(int processors, std::int64_t bytes, int pieces);
/// Where the blocks are not of equal size, exact for up to kMostExactBlocks processors
/// (collectives/parts/even_blocks.h), with up to a millisecond for each piece; for more, the time
/// of blocks that are all as large as the largest.
double allreduce_block_circulant_time(int processors, std::int64_t bytes, int pieces,
                                      const TimeModel& model);

}  // namespace postroom
