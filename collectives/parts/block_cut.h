// A list cut into blocks that travel one by one: all of the same size but for the last ones, which
// may be smaller or empty.
#pragma once

#include <algorithm>
#include <cstddef>

#include "numa/rounding.h"
#include "runtime/processor.h"

namespace postroom {

/// The most blocks that anything can be cut into.
inline constexpr int kMostBlocks = 1'000'000'000;

class BlockCut {
 public:
  /// Blocks of whole elements. Preconditions: blocks >= 1, bytes is a multiple of element_bytes.
  BlockCut(std::size_t bytes, int blocks, std::size_t element_bytes = 1)
      : bytes_(bytes),
        block_(ceil_divide(bytes / element_bytes, static_cast<std::size_t>(blocks)) *
               element_bytes) {}

  std::size_t begin(int block) const {
    return std::min(bytes_, static_cast<std::size_t>(block) * block_);
  }
  std::size_t bytes(int block) const { return begin(block + 1) - begin(block); }
  template <class List>
  List of(List list, int block) const {
    return list.subspan(begin(block), bytes(block));
  }

 private:
  std::size_t bytes_;
  std::size_t block_;
};

}  // namespace postroom
