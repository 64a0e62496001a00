// Allgather by p broadcasts at the same time, each in pieces over the same circulant graph.
//
// Source: J. L. Träff, "all-broadcast" (collectives/parts/circulant_pieces.h). n - 1 + ⌈log2
// p⌉ rounds with n pieces; with one large block and many small ones, more pieces move fewer bytes
// than any algorithm that moves whole blocks. See collectives/allgatherv.h.
#pragma once

#include <cstddef>

#include "collectives/models/cost.h"
#include "collectives/parts/blocks.h"
#include "runtime/processor.h"

namespace postroom {

/// `blocks` lays out `all`; pieces are of whole elements. Precondition: pieces >= 1.
void allgather_block_circulant(Processor& self, ConstBytes mine, const Blocks& blocks, Bytes all,
                               int pieces, std::size_t element_bytes, Where where);
Cost allgather_block_circulant_cost(const Blocks& blocks, int pieces, std::size_t element_bytes);

}  // namespace postroom
