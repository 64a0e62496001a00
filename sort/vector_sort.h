// Keys sorted by vectors: Highway's vectorised quicksort, for 32-bit keys of which many are alike.
//
// Not stable, which cannot be seen on bare keys. Cost: 2 to 3 ns a u32 for 10^5 and 10^6 keys where
// many are alike (AMD Zen 3, AVX2), 5 to 8 otherwise, which is more than sort/spread.h takes;
// 64-bit keys take twice that, so there is nothing here for them. No memory but a few KiB on the
// stack. Highway's library is loaded with the first such sort, which takes some milliseconds, and
// where it is missing there is no other difference than in speed.
#pragma once

#include <cstddef>
#include <cstdint>

namespace postroom::sorting {

/// Whether keys that lie here can be sorted by vectors: the library is there, and they are aligned.
bool fits_vectors(const std::byte* keys) noexcept;

/// Whether to sort so many keys by vectors where other ways take about 4 ns a key longer: not
/// before those who asked, in all of the process, have lost as much by them as loading the library
/// takes.
bool is_library_due(std::size_t keys) noexcept;

/// Sorts keys[0, size) by key ^ flip, with a flip of flip_mask (sort/keys.h). Precondition:
/// fits_vectors(keys).
void sort_by_vectors(std::byte* keys, std::size_t size, std::uint32_t flip) noexcept;

}  // namespace postroom::sorting
