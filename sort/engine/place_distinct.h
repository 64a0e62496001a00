// Keys without gaps, each of them once: a permutation of a range, such as ranks, row numbers, or
// keys that were dealt out in turn. Each record's place is its key. Lowest bits that are the same
// in all do not count, as those of whole numbers among floating-point ones.
//
// Source: pigeonhole sort, given up at the first key for which there is no free hole.
//
// Cost: if the number of keys and the bits that vary allow it, a read that finds the least; then
// one that moves the records, until a key is there twice or is too large. The whole sort of a
// permutation of 10^4, one core of an AMD Zen 5: 1.3 ns a pair of u32 and 1.5 of u64. (Radix passes
// are at their worst there; why, and what they take: docs/sort_figures.md.) Where written lines are
// asked for, 10^5 pairs take 5.6 instead of 9.3 (u32) and 7.8 instead of 11.3 (u64; Intel Emerald
// Rapids). Memory: a byte a record.
// Errors: what a key throws.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "sort/engine/digit.h"
#include "sort/engine/part.h"
#include "sort/engine/written_line.h"

namespace postroom::sorting {

class DistinctPlacer {
 public:
  /// For parts of up to `most_records`. Throws std::bad_alloc.
  explicit DistinctPlacer(std::size_t most_records)
      : most_(most_records), taken_(std::make_unique_for_overwrite<std::uint8_t[]>(most_records)) {}

  /// Moves from[part.begin, part.end), in which these bits vary, to its places in `to`, if the keys
  /// are as above; otherwise returns false, and `to` may have been overwritten there.
  template <class Records>
  [[nodiscard]] bool place(const Records& from, const Part& part, std::uint64_t varying,
                           Records to) {
    const std::size_t size = part.size();
    if (varying == 0 || size > most_) return false;
    const Digit digit = whole_digit(varying);
    if (!can_be_range(size, digit.bits)) return false;
    std::fill_n(taken_.get(), size, std::uint8_t{0});
    return place_all(Records(from).from(part.begin), size, least_key(from, part), digit.shift,
                     to.from(part.begin), taken_.get());
  }

 private:
  // A range of so many keys that begins anywhere has at most one bit more than it takes to tell
  // them apart, unless it lies across a large power of two.
  static bool can_be_range(std::size_t size, int bits) noexcept {
    return bits >= width_of(size - 1) && bits <= width_of(size - 1) + 1;
  }

  template <class Records>
  static typename Records::Bits least_key(const Records& from, const Part& part) {
    // Several at a time: to take the smaller one of two takes two steps, each of which waits.
    std::array<typename Records::Bits, 4> least;
    least.fill(from.key(part.begin));
    std::size_t i = part.begin;
    for (; i + least.size() <= part.end; i += least.size()) {
      for (std::size_t j = 0; j < least.size(); ++j) least[j] = std::min(least[j], from.key(i + j));
    }
    for (; i < part.end; ++i) least[0] = std::min(least[0], from.key(i));
    return *std::min_element(least.begin(), least.end());
  }

  // Of its own, so that the compiler keeps all in registers: bytes that are written may be
  // anything's.
  template <class Records>
  [[gnu::noinline]] static bool place_all(const Records from, std::size_t size,
                                          typename Records::Bits least, int shift, Records to,
                                          std::uint8_t* taken) {
    for (std::size_t i = 0; i < size; ++i) {
      const auto place = static_cast<std::size_t>(from.key(i) - least) >> shift;
      if (place >= size || taken[place] != 0) return false;
      taken[place] = 1;
      to.take(place, from, i);
      if (asks_for_written_line) to.prefetch(place);
    }
    return true;
  }

  std::size_t most_;
  std::unique_ptr<std::uint8_t[]> taken_;
};

}  // namespace postroom::sorting
