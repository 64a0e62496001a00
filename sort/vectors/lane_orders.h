// For each set of lanes of a vector the order that puts them side by side: tables for
// sort/vectors/vector_sides.h and sort/vectors/word_sides.h.
//
// `vpcompress`, which needs no table, takes five steps of a Zen 5 (a side of u32 0.15 ns, of u64
// 0.31).
//
// Source: S. Gueron and V. Krasnov, "Fast Quicksort Implementation Using AVX Instructions" (2016).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace postroom::sorting {

/// The lanes if the set is to be at the begin of a vector, all others behind it, and those that
/// come last if it is to be at its end. A lane of 64 bits is two of 32 where there are four.
template <std::size_t kLanes>
struct LaneOrders {
  using Order = std::array<std::uint8_t, 8>;
  std::array<Order, std::size_t{1} << kLanes> at_begin{};
  std::array<Order, std::size_t{1} << kLanes> at_end{};

  constexpr LaneOrders() {
    constexpr std::size_t kPieces = 8 / kLanes;
    for (unsigned set = 0; set < at_begin.size(); ++set) {
      std::size_t first = 0;
      std::size_t last = 8;
      for (std::size_t i = 0; i < 8; ++i) {
        if ((set >> i / kPieces & 1) != 0) at_begin[set][first++] = static_cast<std::uint8_t>(i);
      }
      for (std::size_t i = 0; i < 8; ++i) {
        if ((set >> i / kPieces & 1) == 0) at_begin[set][first++] = static_cast<std::uint8_t>(i);
        if ((set >> (7 - i) / kPieces & 1) != 0)
          at_end[set][--last] = static_cast<std::uint8_t>(7 - i);
      }
    }
  }
};

template <std::size_t kLanes>
inline constexpr LaneOrders<kLanes> kLaneOrders;

}  // namespace postroom::sorting
