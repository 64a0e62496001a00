// Records so few that one network of vectors takes them all.
//
// The network gets a word of 64 bits for each record, its key above its number, as far as there is
// room. No two words are alike, so it is no matter that a network is not stable. Those alike in the
// bits for which there is room are then sorted by the others. In the end each record is moved to
// its place.
//
// Bare keys are words themselves (sort/spread.h).
//
// Source: our own; the number in the low bits is the usual way to make any sort stable.
//
// Cost: COST. Memory: 5 KiB on the stack, and as much again as the records. Errors: what a key
// throws goes through; nothing has been moved then.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "numa/cacheline.h"
#include "sort/config.h"
#include "sort/digit.h"
#include "sort/network_sort.h"

// GCC 12 takes an array that is filled in a loop for uninitialised.
#pragma GCC diagnostic push
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

namespace postroom::sorting {

inline constexpr int kOneNetworkBits = 7;
inline constexpr std::size_t kMostInOneNetwork = std::size_t{1} << kOneNetworkBits;

/// Whether so many records of this kind are sorted so, by this processor.
template <class Records>
bool fits_one_network(std::size_t size, const SortConfig& config) noexcept {
  if (!config.networks || size > config.one_network_records) return false;
  const std::size_t bytes = network_vector_bytes();
  if constexpr (Records::kNetworkKeys) {
    return size <= most_in_network<typename Records::Bits>(bytes);
  }
  constexpr std::size_t kMostBytes = 32;  // 4 KiB of stack
  return Records::kRecordBytes <= kMostBytes && size <= kMostInOneNetwork &&
         size <= most_in_network<std::uint64_t>(bytes);
}

/// Sorts those of words, in order, that are alike above their numbers by their whole keys.
template <class Bits>
void order_alike(const Bits* keys, std::span<std::uint64_t> words) {
  constexpr std::uint64_t kNumber = low_bits(kOneNetworkBits);
  const auto key = [=](std::uint64_t word) { return keys[word & kNumber]; };
  for (std::size_t begin = 0, end = 0; begin < words.size(); begin = end) {
    while (++end < words.size() && (words[end] ^ words[begin]) <= kNumber) {
    }
    // By insertion: where they are many, most are equal.
    for (std::size_t i = begin + 1; i < end; ++i) {
      const std::uint64_t word = words[i];
      std::size_t to = i;
      for (; to > begin && key(word) < key(words[to - 1]); --to) words[to] = words[to - 1];
      words[to] = word;
    }
  }
}

/// Sorts home[0, size). Preconditions: fits_one_network(), size > 0.
template <class Records>
[[gnu::noinline]] void sort_by_one_network(Records home, std::size_t size) {
  if constexpr (Records::kNetworkKeys) return home.take_sorted(home, 0, size, size);
  using Word = std::uint64_t;
  constexpr Word kNumber = low_bits(kOneNetworkBits);
  std::array<typename Records::Bits, kMostInOneNetwork> keys;
  Word differ = 0;
  for (std::size_t i = 0; i < size; ++i) {
    keys[i] = home.key(i);
    differ |= keys[i] ^ keys[0];
  }
  const int unused = differ == 0 ? 0 : std::countr_zero(differ);
  const int left_out = std::max(width_of(differ) - unused + kOneNetworkBits - 64, 0);
  alignas(kCacheLine) std::array<Word, kMostInOneNetwork> words;
  for (std::size_t i = 0; i < size; ++i) {
    words[i] = Word{keys[i]} >> (unused + left_out) << kOneNetworkBits | i;
  }
  const auto memory = std::as_writable_bytes(std::span(words)).data();
  sort_by_network(memory, memory, size, kMostInOneNetwork, Word{0});
  if (left_out > 0) order_alike(keys.data(), std::span(words).first(size));
  alignas(kCacheLine) std::array<std::byte, kMostInOneNetwork * Records::kRecordBytes> rows;
  Records held = home.room_at(rows.data(), kMostInOneNetwork);
  held.take_all(home, 0, size);
  for (std::size_t i = 0; i < size; ++i) home.take(i, held, words[i] & kNumber);
}

}  // namespace postroom::sorting

#pragma GCC diagnostic pop
