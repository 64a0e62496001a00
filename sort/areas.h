// How much scratch a sort takes, and how it is divided.
//
// A scratch is a row of areas, each beginning on a line of its own. The functions here are the one
// place that knows which sort needs which; scratch_bytes (sort/options.h) tells the caller,
// SortScratch (sort/scratch.h) lays them out. Errors: std::length_error when a size is more than a
// size_t holds.
#pragma once

#include <array>
#include <cstddef>

#include "sort/compiled_sizes.h"

namespace postroom::sorting {

/// Bytes for each area; 0 for those that are not wanted.
using Areas = std::array<std::size_t, 4>;

/// The bytes of a scratch with these areas, wherever it begins.
std::size_t bytes_for(const Areas& areas);

/// `bytes`, rounded up to whole cache lines.
std::size_t whole_lines(std::size_t bytes);

/// Whether sort_records moves records of this size as they are in every pass; each size is compiled
/// by itself. Others are sorted by their numbers (sort/by_index.h).
constexpr bool moves_whole(std::size_t record_bytes) {
  return is_size_of(record_bytes, WholeSizes());
}

/// Up to this size, elements whose type is known are moved as they are.
inline constexpr std::size_t kMostMovedBytes = 64;

/// Records, as many as there are.
Areas row_areas(std::size_t records, std::size_t record_bytes);
/// Keys; values.
Areas column_areas(std::size_t records, std::size_t key_bytes, std::size_t value_bytes);
/// Of a row of a key and a number (sort/numbered.h), and of one where both have 32 bits.
inline constexpr std::size_t kWideRowBytes = 16;
inline constexpr std::size_t kNarrowRowBytes = 8;
/// Whether 32 bits hold each of the keys, and its number.
constexpr bool fit_narrow_rows(std::size_t keys, std::size_t key_bytes) {
  return key_bytes <= 4 && keys <= std::size_t{1} << 32;
}
/// Rows of keys and numbers; room for as many.
Areas argsort_areas(std::size_t keys, std::size_t key_bytes);
/// Rows that are not narrow; room for as many, and afterwards for the records.
Areas by_index_areas(std::size_t records, std::size_t record_bytes);

}  // namespace postroom::sorting
