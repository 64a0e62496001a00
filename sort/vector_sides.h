// Bare keys moved to both sides of one of them: the step of a quicksort.
//
// With vectors of 64 bytes (AVX-512) those on one side are pushed together in a register: 0.1 to
// 0.2 ns a u32 and 0.2 to 0.3 a u64 within the cache (AMD Zen 5), twice as much and more outside of
// it. Elsewhere each key is written to both sides and stays at most at one of them, 1.2 ns. Nothing
// is a branch that depends on a key. No memory. Nothing here throws.
//
// Source: B. Bramas, "A Novel Hybrid Quicksort Algorithm Vectorized using AVX-512" (2017), whose
// partition is in place; this one has a second array.
#pragma once

#include <cstddef>
#include <cstdint>

namespace postroom::sorting {

/// How many keys are on each side.
struct Sides {
  std::size_t below;
  std::size_t above;
};

/// Whether this processor has the vectors.
bool has_fast_sides() noexcept;

/// Of `size` keys at `from`, in the order of key ^ flip (flip_mask, sort/keys.h): moves those below
/// `key` to the begin of to[0, size) and those above to its end, in any order. What lies between
/// may have been overwritten. `key` is as read, that is, with the flip.
Sides take_sides(const std::byte* from, std::byte* to, std::size_t size, std::uint32_t key,
                 std::uint32_t flip) noexcept;
Sides take_sides(const std::byte* from, std::byte* to, std::size_t size, std::uint64_t key,
                 std::uint64_t flip) noexcept;

/// The same without those vectors.
Sides take_sides_singly(const std::byte* from, std::byte* to, std::size_t size, std::uint32_t key,
                        std::uint32_t flip) noexcept;
Sides take_sides_singly(const std::byte* from, std::byte* to, std::size_t size, std::uint64_t key,
                        std::uint64_t flip) noexcept;

}  // namespace postroom::sorting
