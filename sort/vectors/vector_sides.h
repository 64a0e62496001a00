// Bare keys moved to both sides of one of them: the step of a quicksort.
//
// Those on one side are put side by side within a vector, in an order that a table has for each set
// of lanes; then the whole vector is written, and what is behind them is overwritten by the next
// ones. Where equals of the pivot go with those above, one order does for both sides. Keys above
// stay where they came from: they are pushed to the end of the same array. So all is read and half
// of it is written elsewhere, and every store is of a whole vector. Nothing is a branch that
// depends on a key. No memory but the tables, 4.3 KiB. Nothing here throws.
//
// Cost within the second cache (AMD Zen 5): 0.10 to 0.14 ns a u32 (AVX2) and 0.14 to 0.17 a u64
// (AVX-512; with AVX2 twice that); 1.2 without vectors.
//
// In place, some vectors of both ends are set aside, and each time the next ones are taken from the
// end that has less room before them; so both have room for what is written.
//
// Source: B. Bramas, "A Novel Hybrid Quicksort Algorithm Vectorized using AVX-512" (2017), for the
// partition in place; with a second array it is ours. The tables are those of S. Gueron and
// V. Krasnov, "Fast Quicksort Implementation Using AVX Instructions" (2016).
#pragma once

#include <cstddef>
#include <cstdint>

#include "sort/vectors/pivot.h"

namespace postroom::sorting {

/// How many keys are on each side.
struct Sides {
  std::size_t below;
  std::size_t above;
};

/// Whether this processor has the vectors.
bool has_fast_sides() noexcept;

/// Of `size` keys at `from`, in the order of key ^ flip (flip_mask, sort/keys.h): moves those below
/// the pivot to the begin of to[0, size) and those above to the end of from[0, size), in any order.
/// All other places of both may have been overwritten. The pivot's key is one ^ flip, be it there
/// or not.
Sides take_sides(std::byte* from, std::byte* to, std::size_t size,
                 const Pivot<std::uint32_t>& pivot, std::uint32_t flip) noexcept;
Sides take_sides(std::byte* from, std::byte* to, std::size_t size,
                 const Pivot<std::uint64_t>& pivot, std::uint64_t flip) noexcept;

/// The same within keys[0, size): those below the pivot to its begin, those above to its end.
Sides take_sides_in_place(std::byte* keys, std::size_t size, const Pivot<std::uint32_t>& pivot,
                          std::uint32_t flip) noexcept;
Sides take_sides_in_place(std::byte* keys, std::size_t size, const Pivot<std::uint64_t>& pivot,
                          std::uint64_t flip) noexcept;

// --- For tests: what this processor may not choose by itself.

/// Without vectors.
Sides take_sides_singly(std::byte* from, std::byte* to, std::size_t size,
                        const Pivot<std::uint32_t>& pivot, std::uint32_t flip) noexcept;
Sides take_sides_singly(std::byte* from, std::byte* to, std::size_t size,
                        const Pivot<std::uint64_t>& pivot, std::uint64_t flip) noexcept;
/// With vectors of 32 bytes at most. Precondition: has_fast_sides().
Sides take_sides_by_avx2(std::byte* from, std::byte* to, std::size_t size,
                         const Pivot<std::uint32_t>& pivot, std::uint32_t flip) noexcept;
Sides take_sides_by_avx2(std::byte* from, std::byte* to, std::size_t size,
                         const Pivot<std::uint64_t>& pivot, std::uint64_t flip) noexcept;
Sides take_sides_in_place_by_avx2(std::byte* keys, std::size_t size,
                                  const Pivot<std::uint32_t>& pivot, std::uint32_t flip) noexcept;
/// With vectors of 64 bytes and no table. Precondition: uses_avx512() (numa/vectors.h).
Sides take_sides_by_compressing(std::byte* from, std::byte* to, std::size_t size,
                                const Pivot<std::uint32_t>& pivot, std::uint32_t flip) noexcept;
Sides take_sides_in_place_by_compressing(std::byte* keys, std::size_t size,
                                         const Pivot<std::uint32_t>& pivot,
                                         std::uint32_t flip) noexcept;

}  // namespace postroom::sorting
