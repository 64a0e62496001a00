// Records so few that one network of vectors takes them all: keys alone, or records of one word, as
// they are; others by words of their keys and numbers (sort/engine/key_words.h).
//
// Cost, one core (AMD Zen 5, AVX-512), whole sorts, former way / so: 32 u64 4.7 / 2.0 ns a key, 128
// 1.9 / 0.9; 32 pairs of u32 6 to 11 / 3.7, of u64 6.8 / 3.6; 100 3 to 7 / 2.1, 3.9 / 2.1. Memory,
// on the stack: 1 KiB for words and up to 4 for records, and 3 for the network. Errors: what a key
// throws goes through; nothing has been moved then.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "numa/cacheline.h"
#include "sort/engine/config.h"
#include "sort/engine/key_words.h"
#include "sort/vectors/network_sort.h"

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

/// Sorts home[0, size). Preconditions: 0 < size <= most_in_network(), or fits_one_network().
template <class Records>
void sort_by_one_network(Records home, std::size_t size) requires(Records::kNetworkKeys) {
  home.take_sorted(home, 0, size, size);
}
/// The same, stably. Not inlined: nothing else takes so much of the stack.
template <class Records>
[[gnu::noinline]] void sort_by_one_network(Records home, std::size_t size) {
  if constexpr (Records::kMayBeWords) {
    if (home.are_words()) return home.take_sorted_words(home, size, size);
  }
  alignas(kCacheLine) std::array<std::uint64_t, kMostInOneNetwork> memory;
  const std::span words(memory.data(), size);
  std::uint64_t differ = 0;
  for (std::size_t i = 0; i < size; ++i) {
    words[i] = home.key(i);
    differ |= words[i] ^ words[0];
  }
  const KeyWords key_words(differ, kOneNetworkBits);
  for (std::size_t i = 0; i < size; ++i) words[i] = key_words.of(words[i], i);
  const auto sort = [&](std::span<std::uint64_t> some) {
    const auto room = static_cast<std::size_t>(memory.end() - some.data());
    const auto bytes = std::as_writable_bytes(some).data();
    sort_by_network(bytes, bytes, some.size(), room, std::uint64_t{0});
  };
  sort(words);
  if (key_words.left_out(differ) != 0) key_words.order_alike(home, words, sort);
  alignas(kCacheLine) std::array<std::byte, kMostInOneNetwork * Records::kRecordBytes> rows;
  Records held = home.room_at(rows.data(), kMostInOneNetwork);
  for (std::size_t i = 0; i < size; ++i) held.take(i, home, i);
  for (std::size_t i = 0; i < size; ++i) home.take(i, held, key_words.number(words[i]));
}

}  // namespace postroom::sorting

#pragma GCC diagnostic pop
