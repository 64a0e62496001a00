// What it takes to find the few rows that are out of order and to put them back, by vectors: keys
// alone of 4 or 8 bytes, and records of 8 or 16, each with an integer key somewhere in it.
//
// Cost: below 0.1 ns a row in cache; and each time that a call ends, some 5 ns, since the CPU
// cannot guess when (AMD Zen 5).
//
// Source: our own. Nothing here throws. No memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sort/vectors/vector_order.h"

namespace postroom::sorting {

/// So many rows are read and written at a time.
template <std::size_t kRowBytes>
inline constexpr std::size_t kRowsAtATime = 64 / kRowBytes;

/// The first row of [begin, end) whose key is below that of the one before; `end` when there is
/// none. Preconditions: begin >= 1; rows that say kFindsFalls and
/// can_compare_rows() (sort/engine/layout.h).
template <std::size_t kRowBytes, class Bits>
std::size_t first_fall(const KeyRows<Bits>& keys, std::size_t begin, std::size_t end) noexcept;

/// Of rows[0, end), whose keys are in order: moves those above `key` up, so that they end at `to`.
/// Returns how many. The other rows from `end` to `to` are overwritten. `keys` are those of the
/// rows. Preconditions: to >= end + kRowsAtATime, and those above.
template <std::size_t kRowBytes, class Bits>
std::size_t raise_above(std::byte* rows, const KeyRows<Bits>& keys, std::size_t end, std::size_t to,
                        Bits key) noexcept;

/// The same by vectors of one kind, which the processor has (on x86 alone), and without.
template <std::size_t kRowBytes, class Bits>
std::size_t first_fall_by_avx2(const KeyRows<Bits>& keys, std::size_t begin,
                               std::size_t end) noexcept;
template <std::size_t kRowBytes, class Bits>
std::size_t first_fall_by_avx512(const KeyRows<Bits>& keys, std::size_t begin,
                                 std::size_t end) noexcept;
template <std::size_t kRowBytes, class Bits>
std::size_t first_fall_singly(const KeyRows<Bits>& keys, std::size_t begin,
                              std::size_t end) noexcept;
template <std::size_t kRowBytes, class Bits>
std::size_t raise_above_by_avx2(std::byte* rows, const KeyRows<Bits>& keys, std::size_t end,
                                std::size_t to, Bits key) noexcept;
template <std::size_t kRowBytes, class Bits>
std::size_t raise_above_by_avx512(std::byte* rows, const KeyRows<Bits>& keys, std::size_t end,
                                  std::size_t to, Bits key) noexcept;
template <std::size_t kRowBytes, class Bits>
std::size_t raise_above_singly(std::byte* rows, const KeyRows<Bits>& keys, std::size_t end,
                               std::size_t to, Bits key) noexcept;

}  // namespace postroom::sorting
