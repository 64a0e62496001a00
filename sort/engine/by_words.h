// Few records sorted by words of their keys and numbers (sort/engine/key_words.h), as bare keys.
// Unlike radix passes that does not depend on how the keys are spread.
//
// Cost: a read of the keys, a sort of bare keys of 64 bits (sort/engine/spread.h), two moves of
// each record. One core (AMD Zen 5), by radix passes or frequent keys, and so: 10^4 pairs of u64,
// N 3.5 and 3.0 ns, S 5.7 and 4.1; of a normal double and 8 bytes 10^3 11 and 4.5, 10^4 9 to 15
// and 4.7. Records of one word have a way of their own (sort/engine/spread_words.h). Memory: 8
// bytes a record. Errors: what a key throws and std::bad_alloc go through; nothing has been moved
// then.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "sort/engine/config.h"
#include "sort/engine/digit.h"
#include "sort/engine/key_words.h"
#include "sort/engine/median_sample.h"
#include "sort/engine/whole_words.h"

namespace postroom::sorting {

/// Whether so many records of this kind are sorted so, by this processor.
template <class Records>
bool can_sort_by_words(std::size_t size, const SortConfig& config) noexcept {
  constexpr std::size_t kMost = std::size_t{1} << 15;  // 256 KiB of words
  return Records::kHoldsWords && sizeof(typename Records::Bits) >= sizeof(std::uint32_t) &&
         size <= kMost && sorts_words(config);
}

/// Whether that is worth while for home[0, size), a sample of which varies in these bits: where
/// words have no room for all of these, only if digits seem to tell little, or there are so few
/// that radix passes would not make up for their tables. Precondition: can_sort_by_words(),
/// sampled != 0.
template <class Records>
bool sorts_by_words(const Records& home, std::size_t size, std::uint64_t sampled) {
  using Bits = typename Records::Bits;
  if (KeyWords(sampled, width_of(size - 1)).left_out(sampled) == 0) return true;
  if constexpr (sizeof(Bits) == sizeof(std::uint64_t)) {
    constexpr std::size_t kFew = 512;
    if (size < MedianSample<Bits>::kKeys) return false;
    const MedianSample<Bits> sample(home, {0, size, false});
    return (size <= kFew || sample.crowds_digit()) && !sample.has_many_alike();
  }
  return true;
}

/// Sorts home[0, size), a sample of which varies in these bits; or else returns false and has not
/// moved anything: higher bits vary, too. `away` has room for as many. Preconditions:
/// can_sort_by_words(), size > 1.
template <class Records>
[[nodiscard]] bool sort_by_words(Records home, Records away, std::size_t size,
                                 std::uint64_t sampled,
                                 const SortConfig& config) requires(Records::kHoldsWords) {
  const KeyWords key_words(sampled, width_of(size - 1));
  const std::uint64_t first = home.key(0);
  const auto memory = std::make_unique_for_overwrite<std::uint64_t[]>(size);
  const std::span words(memory.get(), size);
  std::uint64_t differ = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const std::uint64_t key = home.key(i);
    differ |= key ^ first;
    words[i] = key_words.of(key, i);
  }
  if (!key_words.cover(differ)) return false;
  const auto sort = [&](std::span<std::uint64_t> some) {
    sort_words_alone(some, away.memory(0), config);
  };
  sort(words);
  if (key_words.left_out(differ) != 0) key_words.order_alike(home, words, sort);
  for (std::size_t i = 0; i < size; ++i) away.take(i, home, key_words.number(words[i]));
  home.take_all(away, 0, size);
  return true;
}

}  // namespace postroom::sorting
