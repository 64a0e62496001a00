// A list cut into one block for each processor.
#pragma once

#include <cstddef>
#include <vector>

#include "collectives/parts/block_cut.h"
#include "collectives/parts/blocks.h"

namespace postroom {

/// One block for each processor, of whole elements, of equal size but for the last ones, which may
/// be smaller or empty. Precondition: as BlockCut.
inline Blocks even_blocks(int processors, std::size_t bytes, std::size_t element_bytes) {
  const BlockCut cut(bytes, processors, element_bytes);
  const std::size_t largest = cut.bytes(0);
  if (largest * static_cast<std::size_t>(processors) == bytes) return {processors, largest};
  std::vector<std::size_t> counts;
  counts.reserve(static_cast<std::size_t>(processors));
  for (int block = 0; block < processors; ++block) {
    counts.push_back(cut.bytes(block) / element_bytes);
  }
  return Blocks(counts, element_bytes);
}

/// As if all were as large as the largest, for elements of one byte.
inline Blocks largest_blocks(int processors, std::size_t bytes) {
  return {processors, BlockCut(bytes, processors).bytes(0)};
}

/// With unequal blocks, an allreduce in rounds is replayed for so many processors at most; for
/// more, its time is that of blocks that are all as large as the largest.
inline constexpr int kMostExactBlocks = 128;

}  // namespace postroom
