// Words moved to both sides of a key, in their order: the step of a stable quicksort.
//
// A word has 64 bits; its key is one half of it. Those on one side are put side by side within a
// vector, in their order, by a table that has one for each set of lanes
// (sort/vectors/lane_orders.h); then the whole vector is written, and what is behind them is
// overwritten by the next ones. Either side may be written where the words come from, since it
// never gets ahead of what has been read.
//
// Source: our own; sort/vectors/vector_sides.h, made stable. Cost within the second cache (AMD Zen
// 5): 0.15 ns a word. No memory but the tables, 2 KiB. Nothing here throws.
#pragma once

#include <cstddef>
#include <cstdint>

namespace postroom::sorting {

/// Which half of a word is its key, and in what order: that of key ^ flip.
struct WordKeys {
  bool are_upper;
  std::uint32_t flip;
};

/// Of `size` words at `from`: moves those whose key, with the flip, is below `limit` to `below`,
/// and the others to `above`, each in the order in which they were. Returns how many are below.
/// Both have room for `size` words, all of which may have been overwritten; one of them may be
/// `from`. Precondition: has_word_networks().
std::size_t take_word_sides(const std::byte* from, std::byte* below, std::byte* above,
                            std::size_t size, std::uint64_t limit, const WordKeys& keys) noexcept;

/// How many of them are below. Precondition, here and below: as above.
std::size_t count_words_below(const std::byte* from, std::size_t size, std::uint64_t limit,
                              const WordKeys& keys) noexcept;

/// The same move where it is known how many are below. Nothing beside their places is written, so
/// that others may be at work there. Both sides are elsewhere than the words.
void take_counted_word_sides(const std::byte* from, std::byte* below, std::size_t below_size,
                             std::byte* above, std::size_t size, std::uint64_t limit,
                             const WordKeys& keys) noexcept;

}  // namespace postroom::sorting
