// Rows of one word, a key of 32 bits and a number, without sign, that never falls from row to row,
// sorted as bare keys of 64 bits.
//
// By the whole word, the key above, such rows come into the same order as by their keys, stably:
// among equal keys the numbers rise as they did, and rows that are equal as a whole cannot be told
// apart. Keys with the numbers of what they belong to are such rows, and bare keys can be sorted by
// networks, however many are alike in the upper half (sort/engine/spread.h).
//
// Where the key is the lower half, the halves change places for that time.
//
// Source: our own. That a number below the key makes any sort stable is well known.
//
// For several processors: one does as well by sort/engine/spread_words.h.
//
// Cost: a read that ends where numbers fall; two more reads and writes to exchange halves; and that
// of the sort. 10^6 uniform pairs of u32 on two cores (AMD Zen 5), by their keys alone and so: 2.0
// and 1.5 ns, 2.95 and 2.0 where the scratch is fresh. Memory and errors: those of the sort.
// Whatever is thrown, halves are where they were.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "sort/engine/config.h"
#include "sort/engine/lease.h"
#include "sort/engine/spread_words.h"

namespace postroom::sorting {

/// Rows of 8 bytes at `home`, and room for as many.
struct WordRows {
  std::byte* home;
  std::byte* away;
  std::size_t size;
  bool key_is_upper;   ///< the upper half of a word, or else the lower one
  std::uint32_t flip;  ///< keys are in the order of key ^ flip
};

/// Whether records of this kind are sorted so, as far as their numbers rise: those that fit the
/// third cache. What comes from memory would come twice more to exchange halves.
template <class Records>
bool can_sort_words(const Records& home, std::size_t size, const SortConfig& config) noexcept
    requires(Records::kMayBeWords) {
  return sorts_words(config) && home.are_words() &&
         size <= config.sides_bytes / Records::kRecordBytes;
}

/// home[0, size), and room for as many. Preconditions: can_sort_words(), size > 0.
template <class Records>
WordRows word_rows(Records home, Records away, std::size_t size) noexcept
    requires(Records::kMayBeWords) {
  return {home.memory(0), away.memory(0), size, home.key_is_upper(), home.flip()};
}

/// Sorts words as wholes by one processor; `away` has room for as many. Precondition:
/// sorts_words(), here and below.
void sort_words_alone(std::span<std::uint64_t> words, std::byte* away, const SortConfig& config);

/// Whether no number is below the one before it.
bool numbers_rise(const WordRows& rows, Lease& lease);

/// Sorts rows whose numbers rise. `cold` is the memory of `away` that nobody has touched yet.
/// Progress is told up to but not including 1.
void sort_words(const WordRows& rows, std::span<std::byte> cold, Lease& lease,
                const SortConfig& config, const std::function<void(double)>& progress);

}  // namespace postroom::sorting
