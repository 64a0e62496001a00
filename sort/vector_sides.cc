#include "sort/vector_sides.h"

#include <array>
#include <cstring>
#include <limits>
#include <span>

#include "numa/vectors.h"
#include "sort/lane_orders.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace postroom::sorting {
namespace {

/// A row of keys that is taken from its end on.
template <class Bits>
struct Taking {
  std::byte* from;
  std::byte* low;   // where the next one below goes
  std::byte* high;  // the end of where the next one above goes, never before the next to be read
  Bits key;
  Bits flip;

  void take_one(std::size_t i) noexcept {
    Bits one;
    std::memcpy(&one, from + i * sizeof(Bits), sizeof(Bits));
    const Bits ordered = one ^ flip;
    std::memcpy(low, &one, sizeof(Bits));
    low += ordered < key ? sizeof(Bits) : 0;
    std::memcpy(high - sizeof(Bits), &one, sizeof(Bits));
    high -= ordered > key ? sizeof(Bits) : 0;
  }

  Sides sides(const std::byte* to, std::size_t size) const noexcept {
    return {static_cast<std::size_t>(low - to) / sizeof(Bits),
            size - static_cast<std::size_t>(high - from) / sizeof(Bits)};
  }
};

template <class Bits>
Sides take_one_by_one(std::byte* from, std::byte* to, std::size_t size, Bits key,
                      Bits flip) noexcept {
  Taking<Bits> taking{from, to, from + size * sizeof(Bits), key, flip};
  for (std::size_t i = size; i > 0; --i) taking.take_one(i - 1);
  return taking.sides(to, size);
}

/// In place: those of `spare` are the only ones not at their side.
template <class Bits>
Sides take_spare(std::byte* keys, std::size_t size, std::byte* low, std::byte* high,
                 std::span<std::byte> spare, Bits key, Bits flip) noexcept {
  Taking<Bits> taking{spare.data(), low, high, key, flip};
  for (std::size_t i = spare.size() / sizeof(Bits); i > 0; --i) taking.take_one(i - 1);
  return {static_cast<std::size_t>(taking.low - keys) / sizeof(Bits),
          size - static_cast<std::size_t>(taking.high - keys) / sizeof(Bits)};
}

// One by one. Who is above changes places with the last one that has not been looked at.
template <class Bits>
Sides take_singly_in_place(std::byte* keys, std::size_t size, Bits key, Bits flip) noexcept {
  const auto at = [&](std::size_t i) { return keys + i * sizeof(Bits); };
  std::size_t low = 0;
  std::size_t high = size;
  for (std::size_t i = 0; i < high;) {
    Bits one;
    std::memcpy(&one, at(i), sizeof(Bits));
    const Bits ordered = one ^ flip;
    if (ordered > key) {
      --high;
      std::memcpy(at(i), at(high), sizeof(Bits));
      std::memcpy(at(high), &one, sizeof(Bits));
      continue;
    }
    if (ordered < key) std::memcpy(at(low++), &one, sizeof(Bits));
    ++i;
  }
  return {low, size - high};
}

#ifdef __x86_64__

#pragma GCC push_options
#pragma GCC target("avx2,popcnt")
// Vectors go from function to function within this file only.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"

/// Eight keys of 32 bits, or four of 64, by AVX2. It compares them as signed.
template <class Key>
struct Half {
  using Keys = __m256i;
  static constexpr std::size_t kLanes = sizeof(Keys) / sizeof(Key);
  static constexpr std::size_t kTogether = 4;  // eight of them would need too many registers
  static constexpr bool kNarrow = sizeof(Key) == sizeof(std::uint32_t);
  static constexpr Key kLowest = std::numeric_limits<Key>::max() / 2 + 1;

  static Keys of(Key value) {
    if constexpr (kNarrow) return _mm256_set1_epi32(static_cast<int>(value));
    return _mm256_set1_epi64x(static_cast<long long>(value));
  }
  static Keys read(const std::byte* from) {
    return _mm256_loadu_si256(reinterpret_cast<const Keys*>(from));
  }
  static void write(std::byte* to, Keys keys) {
    _mm256_storeu_si256(reinterpret_cast<Keys*>(to), keys);
  }
  static Keys mixed(Keys a, Keys b) { return _mm256_xor_si256(a, b); }
  static unsigned below(Keys a, Keys b) {
    if constexpr (kNarrow) {
      return static_cast<unsigned>(
          _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(b, a))));
    }
    return static_cast<unsigned>(_mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpgt_epi64(b, a))));
  }
  static Keys in_order(Keys keys, const std::uint8_t* order) {
    const __m128i lanes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(order));
    return _mm256_permutevar8x32_epi32(keys, _mm256_cvtepu8_epi32(lanes));
  }
};

template <class V>
struct Pushed {
  typename V::Keys below;
  typename V::Keys above;
  unsigned lows;
  unsigned highs;
};

// Takes so many vectors, the last ones before `end`. All are read before anything is written: one
// at a time, the CPU often comes to expect that each read needs the write before it, and waits for
// it (docs/sort.md, "What lost").
template <class V, std::size_t kVectors, class Bits>
[[gnu::always_inline]] inline void take_vectors(Taking<Bits>& taking, std::size_t end,
                                                const typename V::Keys& key,
                                                const typename V::Keys& flip) {
  std::array<Pushed<V>, kVectors> pushed;
#pragma GCC unroll 8
  for (std::size_t j = 0; j < kVectors; ++j) {
    const auto keys = V::read(taking.from + (end - (j + 1) * V::kLanes) * sizeof(Bits));
    const auto ordered = V::mixed(keys, flip);
    const unsigned below = V::below(ordered, key);
    const unsigned above = V::below(key, ordered);
    pushed[j] = {V::in_order(keys, kLaneOrders<V::kLanes>.at_begin[below].data()),
                 V::in_order(keys, kLaneOrders<V::kLanes>.at_end[above].data()),
                 static_cast<unsigned>(_mm_popcnt_u32(below)),
                 static_cast<unsigned>(_mm_popcnt_u32(above))};
  }
  asm volatile("" ::: "memory");  // the compiler keeps to it
#pragma GCC unroll 8
  for (const Pushed<V>& one : pushed) {
    V::write(taking.low, one.below);
    taking.low += one.lows * sizeof(Bits);
    V::write(taking.high - sizeof(typename V::Keys), one.above);
    taking.high -= one.highs * sizeof(Bits);
  }
}

template <class V, class Bits>
[[gnu::always_inline]] inline Sides take_by_vectors(std::byte* from, std::byte* to,
                                                    std::size_t size, Bits key, Bits flip) {
  const auto keys = V::of(key ^ V::kLowest);
  const auto flips = V::of(flip ^ V::kLowest);
  Taking<Bits> taking{from, to, from + size * sizeof(Bits), key, flip};
  std::size_t left = size;
  constexpr std::size_t kKeys = V::kTogether * V::kLanes;
  for (; left >= kKeys; left -= kKeys) take_vectors<V, V::kTogether>(taking, left, keys, flips);
  for (; left >= V::kLanes; left -= V::kLanes) take_vectors<V, 1>(taking, left, keys, flips);
  for (; left > 0; --left) taking.take_one(left - 1);
  return taking.sides(to, size);
}

template <class V, class Bits>
[[gnu::always_inline]] inline Sides take_in_place_by_vectors(std::byte* keys, std::size_t size,
                                                             Bits key, Bits flip) {
  const auto keys_of_vector = V::of(key ^ V::kLowest);
  const auto flips = V::of(flip ^ V::kLowest);
  constexpr std::size_t kKeys = V::kTogether * V::kLanes;
  constexpr std::size_t kBytes = kKeys * sizeof(Bits);
  std::array<std::byte, 4 * kBytes> spare;
  if (size < 3 * kKeys) {
    std::memcpy(spare.data(), keys, size * sizeof(Bits));
    return take_spare(keys, size, keys, keys + size * sizeof(Bits),
                      std::span(spare).first(size * sizeof(Bits)), key, flip);
  }
  std::byte* const end = keys + size * sizeof(Bits);
  std::byte* left = keys + kBytes;  // what has not been taken yet is between these
  std::byte* right = end - kBytes;
  std::memcpy(spare.data(), keys, kBytes);
  std::memcpy(spare.data() + kBytes, right, kBytes);
  Taking<Bits> taking{nullptr, keys, end, key, flip};
  while (static_cast<std::size_t>(right - left) >= kBytes) {
    const bool from_left = left - taking.low <= taking.high - right;
    taking.from = from_left ? left : right - kBytes;
    left += from_left ? kBytes : 0;
    right -= from_left ? 0 : kBytes;
    take_vectors<V, V::kTogether>(taking, kKeys, keys_of_vector, flips);
  }
  const auto rest = static_cast<std::size_t>(right - left);
  std::memcpy(spare.data() + 2 * kBytes, left, rest);
  return take_spare(keys, size, taking.low, taking.high, std::span(spare).first(2 * kBytes + rest),
                    key, flip);
}

template <class Bits>
Sides take_in_place_by_avx2(std::byte* keys, std::size_t size, Bits key, Bits flip) noexcept {
  return take_in_place_by_vectors<Half<Bits>>(keys, size, key, flip);
}

template <class Bits>
Sides take_by_avx2(std::byte* from, std::byte* to, std::size_t size, Bits key, Bits flip) noexcept {
  return take_by_vectors<Half<Bits>>(from, to, size, key, flip);
}

#pragma GCC pop_options
#pragma GCC push_options
#pragma GCC target("avx2,avx512f,avx512dq,popcnt")
// GCC 12 takes what its own header leaves undefined on purpose for a mistake.
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"

/// Eight keys of 64 bits by AVX-512. The same for sixteen of 32 bits would need a larger table.
struct Whole {
  using Bits = std::uint64_t;
  using Keys = __m512i;
  static constexpr std::size_t kLanes = 8;
  static constexpr std::size_t kTogether = 8;
  static constexpr Bits kLowest = 0;

  static Keys of(Bits value) { return _mm512_set1_epi64(static_cast<long long>(value)); }
  static Keys read(const std::byte* from) {
    Keys keys = _mm512_loadu_si512(from);
    asm("" : "+v"(keys));  // or GCC reads them anew for each use: 10 % more
    return keys;
  }
  static void write(std::byte* to, Keys keys) { _mm512_storeu_si512(to, keys); }
  static Keys mixed(Keys a, Keys b) { return _mm512_xor_si512(a, b); }
  static unsigned below(Keys a, Keys b) { return _mm512_cmplt_epu64_mask(a, b); }
  static Keys in_order(Keys keys, const std::uint8_t* order) {
    const __m128i lanes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(order));
    return _mm512_permutexvar_epi64(_mm512_cvtepu8_epi64(lanes), keys);
  }
};

Sides take_by_avx512(std::byte* from, std::byte* to, std::size_t size, std::uint64_t key,
                     std::uint64_t flip) noexcept {
  return take_by_vectors<Whole>(from, to, size, key, flip);
}

Sides take_in_place_by_avx512(std::byte* keys, std::size_t size, std::uint64_t key,
                              std::uint64_t flip) noexcept {
  return take_in_place_by_vectors<Whole>(keys, size, key, flip);
}

#pragma GCC diagnostic pop
#pragma GCC pop_options

#endif

}  // namespace

#ifdef __x86_64__

bool has_fast_sides() noexcept { return uses_avx2(); }

Sides take_sides(std::byte* from, std::byte* to, std::size_t size, std::uint32_t key,
                 std::uint32_t flip) noexcept {
  if (!has_fast_sides()) return take_sides_singly(from, to, size, key, flip);
  return take_by_avx2(from, to, size, key, flip);
}

Sides take_sides(std::byte* from, std::byte* to, std::size_t size, std::uint64_t key,
                 std::uint64_t flip) noexcept {
  if (!has_fast_sides()) return take_sides_singly(from, to, size, key, flip);
  if (!uses_avx512()) return take_by_avx2(from, to, size, key, flip);
  return take_by_avx512(from, to, size, key, flip);
}

Sides take_sides_in_place(std::byte* keys, std::size_t size, std::uint32_t key,
                          std::uint32_t flip) noexcept {
  if (!has_fast_sides()) return take_singly_in_place(keys, size, key, flip);
  return take_in_place_by_avx2(keys, size, key, flip);
}

Sides take_sides_in_place(std::byte* keys, std::size_t size, std::uint64_t key,
                          std::uint64_t flip) noexcept {
  if (!has_fast_sides()) return take_singly_in_place(keys, size, key, flip);
  if (!uses_avx512()) return take_in_place_by_avx2(keys, size, key, flip);
  return take_in_place_by_avx512(keys, size, key, flip);
}

Sides take_sides_by_avx2(std::byte* from, std::byte* to, std::size_t size, std::uint64_t key,
                         std::uint64_t flip) noexcept {
  return take_by_avx2(from, to, size, key, flip);
}

#else

bool has_fast_sides() noexcept { return false; }

Sides take_sides_in_place(std::byte* keys, std::size_t size, std::uint32_t key,
                          std::uint32_t flip) noexcept {
  return take_singly_in_place(keys, size, key, flip);
}

Sides take_sides_in_place(std::byte* keys, std::size_t size, std::uint64_t key,
                          std::uint64_t flip) noexcept {
  return take_singly_in_place(keys, size, key, flip);
}

Sides take_sides(std::byte* from, std::byte* to, std::size_t size, std::uint32_t key,
                 std::uint32_t flip) noexcept {
  return take_sides_singly(from, to, size, key, flip);
}

Sides take_sides(std::byte* from, std::byte* to, std::size_t size, std::uint64_t key,
                 std::uint64_t flip) noexcept {
  return take_sides_singly(from, to, size, key, flip);
}

Sides take_sides_by_avx2(std::byte* from, std::byte* to, std::size_t size, std::uint64_t key,
                         std::uint64_t flip) noexcept {
  return take_sides_singly(from, to, size, key, flip);
}

#endif

Sides take_sides_singly(std::byte* from, std::byte* to, std::size_t size, std::uint32_t key,
                        std::uint32_t flip) noexcept {
  return take_one_by_one(from, to, size, key, flip);
}

Sides take_sides_singly(std::byte* from, std::byte* to, std::size_t size, std::uint64_t key,
                        std::uint64_t flip) noexcept {
  return take_one_by_one(from, to, size, key, flip);
}

}  // namespace postroom::sorting
