// Reduce-scatter as p broadcasts in pieces over a circulant graph, run backwards.
//
// Source: J. L. Träff (collectives/parts/circulant_pieces.h). n - 1 + ⌈log2 p⌉ rounds with n
// pieces. What a processor has combined of a piece it sends once, after it has taken in all that
// others have combined for it; so parts arrive in an order of their own and the operator must
// commute. See collectives/reduce_scatter.h.
#pragma once

#include "collectives/models/cost.h"
#include "collectives/parts/blocks.h"
#include "collectives/parts/operator.h"
#include "runtime/processor.h"

namespace postroom {

/// `blocks` lays out `in`; `out` is as large as the own block and does not overlap `in`.
/// Precondition: pieces >= 1.
void reduce_scatter_block_circulant(Processor& self, ConstBytes in, const Blocks& blocks, Bytes out,
                                    const Operator& op, int pieces, Where where);
/// As above, in a list of all blocks that is overwritten; block self.id() gets the result.
void reduce_scatter_block_circulant_in_place(Processor& self, Bytes all, const Blocks& blocks,
                                             const Operator& op, int pieces, Where where);
Cost reduce_scatter_block_circulant_cost(const Blocks& blocks, int pieces,
                                         std::size_t element_bytes);

}  // namespace postroom
