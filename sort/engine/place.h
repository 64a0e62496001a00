// The placing step: every record once to where its digit says, in order.
//
// Source: step 3 of the counting sort of Helman, Bader and JáJá, with the routing done by writing.
// `next[d]` is where the next record of digit d goes; each call advances it. Records of the same
// digit keep their order. Cost: a read and a write of each record, and `next` read and written.
//
//   place<Prefetch::kNo>(from, 0, n, digit, to, next);
#pragma once

#include <array>
#include <cstddef>

#include "sort/engine/written_line.h"

namespace postroom::sorting {

/// Which lines to ask for with each write. kNext: that which the digit's next records will be
/// written to, for targets larger than the cache; and that of the write, where this pays. kWritten:
/// the latter alone. With 2^10 digits a u32 takes 1.4 ns with kNext and 2.7 without; 1.9 with
/// buffers of one line, written through or past the cache (Zen 3).
enum class Prefetch { kNo, kWritten, kNext };

// Returns where it went. Inlined whatever else is in the unit: a call for each record takes a
// quarter of the time.
template <Prefetch kPrefetch, class Records, class Place>
[[gnu::always_inline]] inline Place place_one(const Records& from, std::size_t i, std::size_t digit,
                                              Records& to, Place* next) {
  const Place slot = next[digit]++;
  to.take(slot, from, i);
  if constexpr (kPrefetch == Prefetch::kWritten) to.prefetch(slot);
  if constexpr (kPrefetch == Prefetch::kNext) {
    if (asks_for_written_line) to.prefetch(slot);
    to.prefetch_after(slot);
  }
  return slot;
}

/// Calls use(number, digit) for each record of [begin, end), in order. A digit is whatever
/// digit.of(key) says, or digit.of_all(keys) of some (sort/engine/digits_apart.h). `kAhead`: what
/// will be read comes from memory.
template <bool kAhead, class Records, class DigitOf, class Use>
[[gnu::always_inline]] inline void for_digits(const Records& records, std::size_t begin,
                                              std::size_t end, DigitOf digit, const Use& use) {
  constexpr bool kByVectors = requires(std::array<typename Records::Bits, 1> keys) {
    digit.of_all(keys);
  };
  // Not for the overhead of a loop. One at a time, the CPU comes to expect that each load of
  // next[d] needs the store before it, and waits for it. 7-bit digits in cache, ns a u32 (Zen 3):
  // one at a time 2.4, in fours 0.8; two tables over the two halves 1.2, slots collected in a
  // buffer first 1.3.
  constexpr std::size_t kGroup = kByVectors ? 32 : 4;
  std::size_t i = begin;
  for (; i + kGroup <= end; i += kGroup) {
    if constexpr (kAhead) records.template prefetch_ahead<kGroup>(i);
    if constexpr (kByVectors) {
      std::array<typename Records::Bits, kGroup> keys;
      for (std::size_t j = 0; j < kGroup; ++j) keys[j] = records.key(i + j);
      const auto* const digits = digit.of_all(keys);
      for (std::size_t j = 0; j < kGroup; ++j) use(i + j, digits[j]);
    } else {
      std::array<std::size_t, kGroup> digits;
      for (std::size_t j = 0; j < kGroup; ++j) digits[j] = digit.of(records.key(i + j));
      for (std::size_t j = 0; j < kGroup; ++j) use(i + j, digits[j]);
    }
  }
  for (; i < end; ++i) use(i, digit.of(records.key(i)));
}

/// Places [begin, end) of `from` into `to`, which may not overlap, by digits as above. Only keys
/// are asked for before anything of the same group is written; `from` is never written.
template <Prefetch kPrefetch, class Records, class DigitOf, class Place>
void place(Records from, std::size_t begin, std::size_t end, const DigitOf& digit, Records to,
           Place* next) {
  if constexpr (kPrefetch == Prefetch::kNo) {
    if (asks_for_written_line) return place<Prefetch::kWritten>(from, begin, end, digit, to, next);
  }
  for_digits<kPrefetch == Prefetch::kNext>(
      from, begin, end, digit,
      [&](std::size_t i, std::size_t value) { place_one<kPrefetch>(from, i, value, to, next); });
}

}  // namespace postroom::sorting
