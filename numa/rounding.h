// Rounding up, in whole numbers, and bits.
//
//   ceil_divide(bytes, kPieceBytes)   // how many pieces hold them
//   round_up(bytes, page_bytes)       // how many bytes whole pages have
//   low_bits(3)                       // 7
#pragma once

#include <cstdint>

#include "numa/language.h"

namespace postroom {

/// ⌈value / unit⌉; nothing overflows. Preconditions: value >= 0, unit > 0.
template <class Integer>
constexpr Integer ceil_divide(Integer value, Integer unit) noexcept {
  return value / unit + (value % unit == 0 ? 0 : 1);
}

/// The least multiple of `unit` that is no less than `value`. Preconditions: value >= 0, unit > 0.
/// Where an unsigned Integer does not hold it, it is less than `value`.
template <class Integer>
constexpr Integer round_up(Integer value, Integer unit) noexcept {
  return (value + unit - 1) / unit * unit;
}

/// The lowest `bits` of 64 set, 0 to 64.
constexpr std::uint64_t low_bits(int bits) noexcept {
  return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
}

}  // namespace postroom
