// Rounding up, in whole numbers.
//
//   ceil_divide(bytes, kPieceBytes)   // how many pieces hold them
//   round_up(bytes, page_bytes)       // how many bytes whole pages have
#pragma once

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

}  // namespace postroom
