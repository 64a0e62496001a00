// Keys of more than one word: 128-bit integers, pairs, tuples and arrays of keys, and the first
// bytes of strings.
//
// Each becomes a row of 64-bit words, the most significant first, that is ordered as the keys are;
// what fits into one word together (a pair of 32-bit integers) is one word. They are sorted
// by the first word, those that are alike by the next, and so on (sort/word_order.h).
//
//   key_words(std::pair(1u, 2u));                 // {0x0000000100000002}
//   key_words(StringPrefix<8>("postroom"));       // {0x706f7374726f6f6d}
//   std::tuple(e.department, Descending(e.pay))   // in each department the best paid first
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "numa/rounding.h"
#include "sort/keys.h"

namespace postroom {

/// The first kBytes of a string, as its key: shorter ones come before those that go on, but for
/// zero bytes at the end; strings with the same prefix are equal.
template <std::size_t kBytes>
struct StringPrefix {
  std::array<unsigned char, kBytes> bytes{};

  StringPrefix() = default;
  explicit StringPrefix(std::string_view text) {
    const std::size_t size = std::min(text.size(), kBytes);
    if (size > 0) std::memcpy(bytes.data(), text.data(), size);
  }
  auto operator<=>(const StringPrefix&) const = default;
};

/// A key in the other direction, as a part of a pair or a tuple.
template <class K>
struct Descending {
  K key;

  constexpr explicit Descending(const K& of) : key(of) {}
  friend constexpr bool operator==(const Descending&, const Descending&) = default;
  friend constexpr auto operator<=>(const Descending& a, const Descending& b) {
    return b.key <=> a.key;
  }
};

namespace sorting {

/// Appends the bits of parts, the most significant first, to a row of words.
template <std::size_t kBits>
struct BitRow {
  static constexpr std::size_t kWords = ceil_divide<std::size_t>(kBits, 64);

  std::array<std::uint64_t, kWords> words{};
  // Filled from the end of the last word backwards, so that the bits are one large number.
  std::size_t left = kBits;

  constexpr void append(std::uint64_t value, std::size_t bits) {
    left -= bits;
    const std::size_t word = kWords - 1 - left / 64;
    const std::size_t shift = left % 64;
    words[word] |= value << shift;
    if constexpr (kWords > 1) {
      if (shift + bits > 64) words[word - 1] |= value >> (64 - shift);
    }
  }
};

__extension__ using Int128 = __int128;
__extension__ using Unsigned128 = unsigned __int128;

/// How many bits a key has, and how they are appended to a row. Nothing for what is no key.
template <class K>
struct WideTraits {
  static constexpr std::size_t kBits = 0;
};

template <SortKey K>
struct WideTraits<K> {
  static constexpr std::size_t kBits = 8 * sizeof(K);
  template <class Row>
  static constexpr void append(Row& row, const K& key) {
    row.append(ordered_bits(key), kBits);
  }
};

template <class K>
requires std::same_as<K, Int128> || std::same_as<K, Unsigned128>
struct WideTraits<K> {
  static constexpr std::size_t kBits = 128;
  template <class Row>
  static constexpr void append(Row& row, K key) {
    constexpr std::uint64_t kSign = std::same_as<K, Int128> ? kTopBit<std::uint64_t> : 0;
    const auto bits = static_cast<Unsigned128>(key);
    row.append(static_cast<std::uint64_t>(bits >> 64) ^ kSign, 64);
    row.append(static_cast<std::uint64_t>(bits), 64);
  }
};

template <class... Parts>
constexpr std::size_t bits_of_all() {
  const bool all_are_keys = ((WideTraits<std::remove_cvref_t<Parts>>::kBits > 0) && ...);
  return all_are_keys ? (WideTraits<std::remove_cvref_t<Parts>>::kBits + ... + 0) : 0;
}

template <class... Parts>
struct WideTraits<std::tuple<Parts...>> {
  static constexpr std::size_t kBits = bits_of_all<Parts...>();
  template <class Row>
  static constexpr void append(Row& row, const std::tuple<Parts...>& key) {
    std::apply(
        [&](const auto&... parts) {
          (WideTraits<std::remove_cvref_t<Parts>>::append(row, parts), ...);
        },
        key);
  }
};

template <class A, class B>
struct WideTraits<std::pair<A, B>> {
  static constexpr std::size_t kBits = bits_of_all<A, B>();
  template <class Row>
  static constexpr void append(Row& row, const std::pair<A, B>& key) {
    WideTraits<std::remove_cvref_t<A>>::append(row, key.first);
    WideTraits<std::remove_cvref_t<B>>::append(row, key.second);
  }
};

template <class K, std::size_t kSize>
struct WideTraits<std::array<K, kSize>> {
  static constexpr std::size_t kBits = kSize * WideTraits<K>::kBits;
  template <class Row>
  static constexpr void append(Row& row, const std::array<K, kSize>& key) {
    for (const K& part : key) WideTraits<K>::append(row, part);
  }
};

template <class K>
struct WideTraits<Descending<K>> {
  static constexpr std::size_t kBits = WideTraits<K>::kBits;
  template <class Row>
  static constexpr void append(Row& row, const Descending<K>& key) {
    BitRow<kBits> upwards;
    WideTraits<K>::append(upwards, key.key);
    std::size_t left = kBits;
    for (const std::uint64_t word : upwards.words) {
      const std::size_t bits = (left - 1) % 64 + 1;  // the first word may be no full one
      row.append(~word & low_bits(static_cast<int>(bits)), bits);
      left -= bits;
    }
  }
};

template <std::size_t kSize>
struct WideTraits<StringPrefix<kSize>> {
  static constexpr std::size_t kBits = 8 * kSize;
  template <class Row>
  static constexpr void append(Row& row, const StringPrefix<kSize>& key) {
    // Up to eight at a time.
    for (std::size_t at = 0; at < kSize; at += sizeof(std::uint64_t)) {
      const std::size_t end = std::min(at + sizeof(std::uint64_t), kSize);
      std::uint64_t value = 0;
      for (std::size_t i = at; i < end; ++i) value = value << 8 | key.bytes[i];
      row.append(value, 8 * (end - at));
    }
  }
};

}  // namespace sorting

/// A type that can be sorted by, of any width.
template <class K>
concept AnySortKey = sorting::WideTraits<std::remove_cvref_t<K>>::kBits >
0;

namespace sorting {

template <class P, class T>
using KeyBy = std::remove_cvref_t<std::invoke_result_t<const P&, const T&>>;

}  // namespace sorting

/// A projection to a key of any width.
template <class P, class T>
concept AnySortProjection =
    std::regular_invocable<const P&, const T&> && AnySortKey<sorting::KeyBy<P, T>>;

template <AnySortKey K>
constexpr auto key_words(const K& key) {
  sorting::BitRow<sorting::WideTraits<K>::kBits> row;
  sorting::WideTraits<K>::append(row, key);
  return row.words;
}

}  // namespace postroom
