// Whether some keys occur very often: a guess from a few keys.
//
// Cost: one look at each of the keys, 256 with the usual thresholds. Errors: what a key throws.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "sort/engine/config.h"
#include "sort/engine/count.h"
#include "sort/engine/digit.h"
#include "sort/engine/heavy_table.h"

namespace postroom::sorting {

struct HeavySample {
  std::size_t hits;       // how many of the keys had been seen shortly before
  std::uint64_t varying;  // the bits that are not the same in all of them
};

/// Of `how_many` keys spread over [0, size). Precondition: how_many <= size.
template <class Records>
HeavySample heavy_sample(const Records& records, std::size_t size, std::size_t how_many) {
  using Bits = typename Records::Bits;
  constexpr HashSlot kSlot{10};
  std::array<Bits, std::size_t{1} << kSlot.bits> seen{};  // the last key in each slot
  CommonBits<Bits> common;
  std::size_t hits = 0;
  for (std::size_t i = 0; i < how_many; ++i) {
    const Bits key = records.key(size / how_many * i);
    Bits& last = seen[kSlot.of(key)];
    hits += last == key;
    last = key;
    common.add(key);
  }
  return {hits, common.varying()};
}

/// Whether there are enough records to guess, and no more than are counted.
inline bool can_have_heavy(std::size_t size, const SortConfig& config) noexcept {
  constexpr std::size_t kRecordsForOne = 3;
  return size / kRecordsForOne >= config.sample_records && size <= kMostHeavyCounted;
}

/// Whether one key of `keys_for_a_hit` at least, in a sample, had been seen shortly before, and
/// more than `most_bits` bits vary: where few do, counting by digits does better.
template <class Records>
bool has_many_alike(const Records& records, std::size_t size, const SortConfig& config,
                    std::size_t keys_for_a_hit, int most_bits) {
  if (!can_have_heavy(size, config)) return false;
  const HeavySample sample = heavy_sample(records, size, config.sample_records);
  return sample.hits * keys_for_a_hit >= config.sample_records && sample.varying != 0 &&
         whole_digit(sample.varying).bits > most_bits;
}

/// Whether there seem to be so few different keys that counting each of them in a slot of its own
/// (sort/engine/few_keys.h) is sooner done than anything else: most keys of a sample had been seen
/// shortly before, and there are `least` of them to make up for the slots.
template <class Records>
bool has_few_different(const Records& records, std::size_t size, std::size_t least,
                       const SortConfig& config) {
  if (size < least || !can_have_heavy(size, config)) return false;
  return heavy_sample(records, size, config.sample_records).hits * 16 >= config.sample_records * 11;
}

/// A slot for every 2^4 records, or nothing could be heavy.
inline int heavy_table_bits(std::size_t size, const SortConfig& config) noexcept {
  return std::clamp(width_of(size) - 4, 1, config.heavy_bits);
}

}  // namespace postroom::sorting
