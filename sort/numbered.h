// Keys and the numbers of what they belong to, side by side: sorted by their keys, they say where
// each is to go.
//
//   const std::span<WideRow> rows = …;
//   number_in_order(rows, key_reader(data, record_bytes, key_of), {away, cold}, options, config);
//   // The record rows[i].number is to be the i-th.
//
// In rows, not in two arrays: what is placed is placed by one store, and vectors compare rows.
//
// Who may call, cost and errors: as for sort/sort.h, of such rows. What reading a key throws goes
// through.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "sort/areas.h"
#include "sort/engine/config.h"
#include "sort/options.h"

namespace postroom::sorting {

// The key behind the number: to a processor that puts the low byte first it is the upper half of a
// row of one word (sort/engine/whole_words.h).
template <class Word>
struct NumberedRow {
  Word number;
  Word key;
};
using WideRow = NumberedRow<std::uint64_t>;
static_assert(sizeof(WideRow) == kWideRowBytes);
/// Where fit_narrow_rows() of sort/areas.h.
using NarrowRow = NumberedRow<std::uint32_t>;
static_assert(sizeof(NarrowRow) == kNarrowRowBytes);

/// Reads keys of at most `bytes` each.
struct KeyReader {
  std::size_t bytes;
  /// Writes the keys of the records [begin, end), as unsigned integers in their order, to `keys`.
  /// Called by several processors at once, for each record once; of further words of a key for one
  /// record at a time, in any order.
  std::function<void(std::size_t begin, std::size_t end, std::uint64_t* keys)> read;
};

/// The keys of records of `record_bytes`.
template <class KeyOf>
KeyReader key_reader(const std::byte* data, std::size_t record_bytes, const KeyOf& key_of) {
  return {sizeof(typename KeyOf::Bits),
          [=](std::size_t begin, std::size_t end, std::uint64_t* keys) {
            for (std::size_t i = begin; i < end; ++i) *keys++ = key_of(data + i * record_bytes);
          }};
}

/// Room for as many rows as there are.
struct RoomForRows {
  std::byte* away;
  std::span<std::byte> cold;  // what nobody has touched yet
};

/// Fills `rows` with the keys and the numbers of as many records and sorts them by their keys,
/// those with equal ones by number. All but the end is told to options.progress; options.scratch
/// and options.descending count for nothing.
///
/// The keys may be of several words; the first counts most. Rows that are equal in one are sorted
/// by the next.
void number_in_order(std::span<WideRow> rows, std::span<const KeyReader> words,
                     const RoomForRows& room, const SortOptions& options, const SortConfig* config);
void number_in_order(std::span<NarrowRow> rows, std::span<const KeyReader> words,
                     const RoomForRows& room, const SortOptions& options, const SortConfig* config);

}  // namespace postroom::sorting
