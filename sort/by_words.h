// Few records sorted by words of 64 bits: the bits of a key that vary, above the number of its
// record.
//
// No two words are alike, so they are bare keys, to be sorted by whatever is fastest, and say
// afterwards which record is to be the first, and so on. Unlike radix passes that does not depend
// on how the keys are spread, and it is stable. Where there is no room for all bits of a key, as
// beside floating-point numbers, the lowest are left out, and those alike in the others are then
// sorted by them.
//
// Source: our own; the number in the low bits is the usual way to make any sort stable.
//
// Cost: a read of the keys, a sort of bare keys of 64 bits (sort/spread.h), two moves of each
// record. One core (AMD Zen 5), by radix passes or frequent keys, and so: 10^4 pairs of u64, N 3.5
// and 3.0 ns, S 5.7 and 4.1; of a normal double and 8 bytes 10^3 11 and 4.5, 10^4 9 to 15 and 4.7.
// Records of one word have a way of their own (sort/numbered_words.h). Memory: 8 bytes a record.
// Errors: what a key throws and std::bad_alloc go through; nothing has been moved then.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "sort/config.h"
#include "sort/digit.h"
#include "sort/median_sample.h"
#include "sort/whole_words.h"

namespace postroom::sorting {

/// Whether so many records of this kind are sorted so, by this processor.
template <class Records>
bool can_sort_by_words(std::size_t size, const SortConfig& config) noexcept {
  constexpr std::size_t kMost = std::size_t{1} << 15;  // 256 KiB of words
  return Records::kHoldsWords && sizeof(typename Records::Bits) >= sizeof(std::uint32_t) &&
         size <= kMost && sorts_words(config);
}

/// Whether that is worth while for home[0, size), a sample of which varies in these bits: where
/// words have no room for all of these, only if digits seem to tell little. Precondition:
/// can_sort_by_words(), sampled != 0.
template <class Records>
bool sorts_by_words(const Records& home, std::size_t size, std::uint64_t sampled) {
  using Bits = typename Records::Bits;
  if (width_of(sampled) - std::countr_zero(sampled) + width_of(size - 1) <= 64) return true;
  if constexpr (sizeof(Bits) == sizeof(std::uint64_t)) {
    constexpr std::size_t kFew = 512;  // radix passes need tables
    const MedianSample<Bits> sample(home, {0, size, false});
    return (size <= kFew || sample.crowds_digit()) && !sample.has_many_alike();
  }
  return true;
}

/// Sorts those of words, in order, that are alike above their numbers by the lowest `bits` of their
/// records' keys. `away` has room for as many words.
template <class Records>
void order_alike(const Records& home, std::span<std::uint64_t> words, std::byte* away,
                 int number_bits, int bits, const SortConfig& config) {
  constexpr std::size_t kFew = 16;
  const std::uint64_t number_mask = low_bits(number_bits);
  const std::uint64_t key_mask = low_bits(bits);
  for (std::size_t begin = 0, end = 0; begin < words.size(); begin = end) {
    const std::uint64_t above = words[begin] >> number_bits;
    while (++end < words.size() && words[end] >> number_bits == above) {
    }
    if (end - begin == 1) continue;
    const std::span alike = words.subspan(begin, end - begin);
    for (std::uint64_t& word : alike) {
      const std::uint64_t number = word & number_mask;
      word = (home.key(number) & key_mask) << number_bits | number;
    }
    if (alike.size() <= kFew) {
      std::ranges::sort(alike);
    } else {
      sort_words_alone({std::as_writable_bytes(alike).data(), away, alike.size(),
                        /*key_is_upper=*/true, /*flip=*/0},
                       config);
    }
  }
}

/// Sorts home[0, size), a sample of which varies in these bits; or else returns false and has not
/// moved anything: more bits vary than these. `away` has room for as many. Preconditions:
/// can_sort_by_words(), size > 1, sampled != 0.
template <class Records>
[[nodiscard]] bool sort_by_words(Records home, Records away, std::size_t size,
                                 std::uint64_t sampled,
                                 const SortConfig& config) requires(Records::kHoldsWords) {
  const int number_bits = width_of(size - 1);
  const int most_key_bits = 64 - number_bits;
  // The lowest bits of a key that do not vary, as those of whole floating-point numbers, and those
  // for which there is no room.
  const int unused = std::countr_zero(sampled);
  const int left_out = std::max(width_of(sampled) - unused - most_key_bits, 0);
  const std::uint64_t first = home.key(0);
  const auto memory = std::make_unique_for_overwrite<std::uint64_t[]>(size);
  const std::span words(memory.get(), size);
  std::uint64_t differ = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const std::uint64_t key = home.key(i);
    differ |= key ^ first;
    words[i] = key >> (unused + left_out) << number_bits | i;
  }
  if (differ >> unused << unused != differ ||
      width_of(differ) > most_key_bits + unused + left_out) {
    return false;
  }
  sort_words_alone({std::as_writable_bytes(words).data(), away.memory(0), size,
                    /*key_is_upper=*/true, /*flip=*/0},
                   config);
  if (left_out > 0)
    order_alike(home, words, away.memory(0), number_bits, unused + left_out, config);
  const std::uint64_t number_mask = low_bits(number_bits);
  for (std::size_t i = 0; i < size; ++i) away.take(i, home, words[i] & number_mask);
  home.take_all(away, 0, size);
  return true;
}

}  // namespace postroom::sorting
