// Up to eight bytes of a key of bytes as a number in their order: the first the most significant.
#pragma once

#include <cstddef>
#include <cstdint>

#include "numa/rounding.h"

namespace postroom::sorting {

class KeyWord {
 public:
  using Bits = std::uint64_t;
  static constexpr std::size_t kMostBytes = sizeof(Bits);

  /// The `bytes`, 1 … kMostBytes, at `offset` of a record.
  KeyWord(std::size_t offset, std::size_t bytes, bool descending)
      : offset_(offset),
        bytes_(bytes),
        flip_(descending ? low_bits(static_cast<int>(8 * bytes)) : 0) {}

  Bits operator()(const std::byte* record) const noexcept {
    Bits bits = 0;
    for (std::size_t i = 0; i < bytes_; ++i) {
      bits = bits << 8 | std::to_integer<Bits>(record[offset_ + i]);
    }
    return bits ^ flip_;
  }

 private:
  std::size_t offset_;
  std::size_t bytes_;
  Bits flip_;
};

}  // namespace postroom::sorting
