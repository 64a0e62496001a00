#include "sort/vectors/vector_sides.h"

#include <array>
#include <cstring>
#include <limits>
#include <span>
#include <type_traits>

#include "numa/cacheline.h"
#include "numa/cpu_model.h"
#include "numa/once.h"
#include "numa/prefetch.h"
#include "numa/vectors.h"
#include "sort/vectors/lane_orders.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace postroom::sorting {
namespace {

/// A row of keys that is taken from its end on.
template <class Bits, Equals kEquals>
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
    high -= is_above(ordered) ? sizeof(Bits) : 0;
  }

  bool is_above(Bits ordered) const noexcept {
    if constexpr (kEquals == Equals::kAbove) return ordered >= key;
    return ordered > key;
  }

  Sides sides(const std::byte* to, std::size_t size) const noexcept {
    return {static_cast<std::size_t>(low - to) / sizeof(Bits),
            size - static_cast<std::size_t>(high - from) / sizeof(Bits)};
  }
};

// use(a constant, where equals go).
template <class Bits, class Use>
[[gnu::always_inline]] inline Sides with_equals(const Pivot<Bits>& pivot, const Use& use) {
  if (pivot.equals == Equals::kAbove) {
    return use(std::integral_constant<Equals, Equals::kAbove>());
  }
  return use(std::integral_constant<Equals, Equals::kOut>());
}

template <class Bits>
Sides take_one_by_one(std::byte* from, std::byte* to, std::size_t size, const Pivot<Bits>& pivot,
                      Bits flip) noexcept {
  return with_equals(pivot, [&](auto equals) {
    Taking<Bits, equals()> taking{from, to, from + size * sizeof(Bits), pivot.key, flip};
    for (std::size_t i = size; i > 0; --i) taking.take_one(i - 1);
    return taking.sides(to, size);
  });
}

/// In place: those of `spare` are the only ones not at their side.
template <class Bits, Equals kEquals>
Sides take_spare(Taking<Bits, kEquals> taking, std::byte* keys, std::size_t size,
                 std::span<std::byte> spare) noexcept {
  taking.from = spare.data();
  for (std::size_t i = spare.size() / sizeof(Bits); i > 0; --i) taking.take_one(i - 1);
  return {static_cast<std::size_t>(taking.low - keys) / sizeof(Bits),
          size - static_cast<std::size_t>(taking.high - keys) / sizeof(Bits)};
}

// One by one. Who is above changes places with the last one that has not been looked at.
template <class Bits>
Sides take_singly_in_place(std::byte* keys, std::size_t size, const Pivot<Bits>& pivot,
                           Bits flip) noexcept {
  const auto at = [&](std::size_t i) { return keys + i * sizeof(Bits); };
  const bool equals_above = pivot.equals == Equals::kAbove;
  std::size_t low = 0;
  std::size_t high = size;
  for (std::size_t i = 0; i < high;) {
    Bits one;
    std::memcpy(&one, at(i), sizeof(Bits));
    const Bits ordered = one ^ flip;
    if (ordered > pivot.key || (equals_above && ordered == pivot.key)) {
      --high;
      std::memcpy(at(i), at(high), sizeof(Bits));
      std::memcpy(at(high), &one, sizeof(Bits));
      continue;
    }
    if (ordered < pivot.key) std::memcpy(at(low++), &one, sizeof(Bits));
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
  static constexpr bool kByTable = true;
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
  static void write_up_to(std::byte* end, Keys keys, unsigned) { write(end - sizeof(Keys), keys); }
};

template <class V>
struct Pushed {
  typename V::Keys below;
  typename V::Keys above;
  unsigned lows;
  unsigned highs;
};

// Where equals go above, what is not below is: then one order of a table has the keys of both
// sides, each at its end of the vector.
template <class V, Equals kEquals>
[[gnu::always_inline]] inline Pushed<V> pushed_apart(const typename V::Keys& keys,
                                                     const typename V::Keys& ordered,
                                                     const typename V::Keys& key) {
  constexpr bool kInTwo = kEquals == Equals::kAbove;
  constexpr unsigned kAll = (1U << V::kLanes) - 1;
  const unsigned below = V::below(ordered, key);
  const unsigned above = kInTwo ? kAll & ~below : V::below(key, ordered);
  const auto lows = static_cast<unsigned>(_mm_popcnt_u32(below));
  const auto highs = kInTwo ? static_cast<unsigned>(V::kLanes) - lows
                            : static_cast<unsigned>(_mm_popcnt_u32(above));
  if constexpr (V::kByTable) {
    constexpr const auto& kOrders = kLaneOrders<V::kLanes>;
    const auto at_begin = V::in_order(keys, kOrders.at_begin[below].data());
    const auto at_end = kInTwo ? at_begin : V::in_order(keys, kOrders.at_end[above].data());
    return {at_begin, at_end, lows, highs};
  } else {
    return {V::side_by_side(keys, below), V::side_by_side(keys, above), lows, highs};
  }
}

// Takes so many vectors, the last ones before `end`. All are read before anything is written: one
// at a time, the CPU often comes to expect that each read needs the write before it, and waits for
// it (docs/sort_tried.md).
template <class V, std::size_t kVectors, class Bits, Equals kEquals>
[[gnu::always_inline]] inline void take_vectors(Taking<Bits, kEquals>& taking, std::size_t end,
                                                const typename V::Keys& key,
                                                const typename V::Keys& flip) {
  std::array<Pushed<V>, kVectors> pushed;
#pragma GCC unroll 8
  for (std::size_t j = 0; j < kVectors; ++j) {
    const auto keys = V::read(taking.from + (end - (j + 1) * V::kLanes) * sizeof(Bits));
    pushed[j] = pushed_apart<V, kEquals>(keys, V::mixed(keys, flip), key);
  }
  asm volatile("" ::: "memory");  // the compiler keeps to it
#pragma GCC unroll 8
  for (const Pushed<V>& one : pushed) {
    V::write(taking.low, one.below);
    taking.low += one.lows * sizeof(Bits);
    V::write_up_to(taking.high, one.above, one.highs);
    taking.high -= one.highs * sizeof(Bits);
  }
}

template <class V, Equals kEquals, class Bits>
[[gnu::always_inline]] inline Sides take_by_vectors(std::byte* from, std::byte* to,
                                                    std::size_t size, Bits key, Bits flip) {
  const auto keys = V::of(key ^ V::kLowest);
  const auto flips = V::of(flip ^ V::kLowest);
  Taking<Bits, kEquals> taking{from, to, from + size * sizeof(Bits), key, flip};
  std::size_t left = size;
  constexpr std::size_t kKeys = V::kTogether * V::kLanes;
  for (; left >= kKeys; left -= kKeys) take_vectors<V, V::kTogether>(taking, left, keys, flips);
  for (; left >= V::kLanes; left -= V::kLanes) take_vectors<V, 1>(taking, left, keys, flips);
  for (; left > 0; --left) taking.take_one(left - 1);
  return taking.sides(to, size);
}

// Asks for lines that are read, and then written, soon. No CPU that fetches ahead by itself knows
// where both ends go on: 10^6 and 10^7 u64 0.28 and 0.55 ns without, 0.26 and 0.29 so; of u32 0.16
// and 0.20, 0.14 and 0.15 (Intel Granite Rapids).
template <std::size_t kBytes>
[[gnu::always_inline]] inline void ask_for(const std::byte* from) {
#pragma GCC unroll 8
  for (std::size_t line = 0; line < kBytes; line += kCacheLine) prefetch_to_write(from + line);
}

template <class V, Equals kEquals, class Bits>
[[gnu::always_inline]] inline Sides take_in_place_by_vectors(std::byte* keys, std::size_t size,
                                                             Bits key, Bits flip) {
  const auto keys_of_vector = V::of(key ^ V::kLowest);
  const auto flips = V::of(flip ^ V::kLowest);
  constexpr std::size_t kKeys = V::kTogether * V::kLanes;
  constexpr std::size_t kBytes = kKeys * sizeof(Bits);
  constexpr std::ptrdiff_t kAhead = 4096;
  std::array<std::byte, 4 * kBytes> spare;
  std::byte* const end = keys + size * sizeof(Bits);
  Taking<Bits, kEquals> taking{nullptr, keys, end, key, flip};
  if (size < 3 * kKeys) {
    std::memcpy(spare.data(), keys, size * sizeof(Bits));
    return take_spare(taking, keys, size, std::span(spare).first(size * sizeof(Bits)));
  }
  std::byte* left = keys + kBytes;  // what has not been taken yet is between these
  std::byte* right = end - kBytes;
  std::memcpy(spare.data(), keys, kBytes);
  std::memcpy(spare.data() + kBytes, right, kBytes);
  while (static_cast<std::size_t>(right - left) >= kBytes) {
    const bool from_left = left - taking.low <= taking.high - right;
    taking.from = from_left ? left : right - kBytes;
    ask_for<kBytes>(taking.from + (from_left ? kAhead : -kAhead));
    left += from_left ? kBytes : 0;
    right -= from_left ? 0 : kBytes;
    take_vectors<V, V::kTogether>(taking, kKeys, keys_of_vector, flips);
  }
  const auto rest = static_cast<std::size_t>(right - left);
  std::memcpy(spare.data() + 2 * kBytes, left, rest);
  return take_spare(taking, keys, size, std::span(spare).first(2 * kBytes + rest));
}

template <class Bits>
Sides take_in_place_by_avx2(std::byte* keys, std::size_t size, const Pivot<Bits>& pivot,
                            Bits flip) noexcept {
  return with_equals(pivot, [&](auto equals) {
    return take_in_place_by_vectors<Half<Bits>, equals()>(keys, size, pivot.key, flip);
  });
}

template <class Bits>
Sides take_by_avx2(std::byte* from, std::byte* to, std::size_t size, const Pivot<Bits>& pivot,
                   Bits flip) noexcept {
  return with_equals(pivot, [&](auto equals) {
    return take_by_vectors<Half<Bits>, equals()>(from, to, size, pivot.key, flip);
  });
}

#pragma GCC pop_options
#pragma GCC push_options
#pragma GCC target("avx2,avx512f,avx512dq,popcnt")
// GCC 12 takes what its own header leaves undefined on purpose for a mistake.
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"

/// Eight keys of 64 bits by AVX-512.
struct Whole {
  using Bits = std::uint64_t;
  using Keys = __m512i;
  static constexpr std::size_t kLanes = 8;
  static constexpr bool kByTable = true;
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
  static void write_up_to(std::byte* end, Keys keys, unsigned) { write(end - sizeof(Keys), keys); }
};

/// Sixteen of 32 bits, each side of them put together without a table. Nothing but the keys above
/// is written of theirs: they are at the begin of the vector, where others have them at its end.
/// 10^4, 10^5, 10^6 and 10^7 keys in place, ns: 0.12, 0.115, 0.13, 0.14; by AVX2 0.14, 0.135, 0.15,
/// 0.16 (Intel Granite Rapids).
struct Narrow {
  using Bits = std::uint32_t;
  using Keys = __m512i;
  static constexpr std::size_t kLanes = 16;
  static constexpr bool kByTable = false;
  static constexpr std::size_t kTogether = 4;
  static constexpr Bits kLowest = 0;

  static Keys of(Bits value) { return _mm512_set1_epi32(static_cast<int>(value)); }
  static Keys read(const std::byte* from) { return Whole::read(from); }
  static void write(std::byte* to, Keys keys) { Whole::write(to, keys); }
  static Keys mixed(Keys a, Keys b) { return _mm512_xor_si512(a, b); }
  static unsigned below(Keys a, Keys b) { return _mm512_cmplt_epu32_mask(a, b); }
  static Keys side_by_side(Keys keys, unsigned set) {
    return _mm512_maskz_compress_epi32(static_cast<__mmask16>(set), keys);
  }
  static void write_up_to(std::byte* end, Keys keys, unsigned count) {
    const auto there = static_cast<__mmask16>((1U << count) - 1);
    _mm512_mask_storeu_epi32(end - count * sizeof(Bits), there, keys);
  }
};

template <class V, class Bits>
Sides take_by_avx512(std::byte* from, std::byte* to, std::size_t size, const Pivot<Bits>& pivot,
                     Bits flip) noexcept {
  return with_equals(pivot, [&](auto equals) {
    return take_by_vectors<V, equals()>(from, to, size, pivot.key, flip);
  });
}

template <class V, class Bits>
Sides take_in_place_by_avx512(std::byte* keys, std::size_t size, const Pivot<Bits>& pivot,
                              Bits flip) noexcept {
  return with_equals(pivot, [&](auto equals) {
    return take_in_place_by_vectors<V, equals()>(keys, size, pivot.key, flip);
  });
}

#pragma GCC diagnostic pop
#pragma GCC pop_options

#else

struct Whole;
struct Narrow;

template <class Bits>
Sides take_by_avx2(std::byte* from, std::byte* to, std::size_t size, const Pivot<Bits>& pivot,
                   Bits flip) noexcept {
  return take_one_by_one(from, to, size, pivot, flip);
}
template <class Bits>
Sides take_in_place_by_avx2(std::byte* keys, std::size_t size, const Pivot<Bits>& pivot,
                            Bits flip) noexcept {
  return take_singly_in_place(keys, size, pivot, flip);
}
template <class V, class Bits>
Sides take_by_avx512(std::byte* from, std::byte* to, std::size_t size, const Pivot<Bits>& pivot,
                     Bits flip) noexcept {
  return take_one_by_one(from, to, size, pivot, flip);
}
template <class V, class Bits>
Sides take_in_place_by_avx512(std::byte* keys, std::size_t size, const Pivot<Bits>& pivot,
                              Bits flip) noexcept {
  return take_singly_in_place(keys, size, pivot, flip);
}

#endif

// Whether keys of 32 bits are taken by Narrow. On AMD's CPUs `vpcompressd` takes longer than a
// table (sort/vectors/lane_orders.h).
bool compresses() noexcept {
  static constinit FoundOnce<bool> intel;
  return intel.get(is_intel) && uses_avx512();
}

}  // namespace

bool has_fast_sides() noexcept { return uses_avx2(); }

Sides take_sides(std::byte* from, std::byte* to, std::size_t size,
                 const Pivot<std::uint32_t>& pivot, std::uint32_t flip) noexcept {
  if (!has_fast_sides()) return take_sides_singly(from, to, size, pivot, flip);
  if (compresses()) return take_sides_by_compressing(from, to, size, pivot, flip);
  return take_by_avx2(from, to, size, pivot, flip);
}

Sides take_sides(std::byte* from, std::byte* to, std::size_t size,
                 const Pivot<std::uint64_t>& pivot, std::uint64_t flip) noexcept {
  if (!has_fast_sides()) return take_sides_singly(from, to, size, pivot, flip);
  if (!uses_avx512()) return take_by_avx2(from, to, size, pivot, flip);
  return take_by_avx512<Whole>(from, to, size, pivot, flip);
}

Sides take_sides_in_place(std::byte* keys, std::size_t size, const Pivot<std::uint32_t>& pivot,
                          std::uint32_t flip) noexcept {
  if (!has_fast_sides()) return take_singly_in_place(keys, size, pivot, flip);
  if (compresses()) return take_sides_in_place_by_compressing(keys, size, pivot, flip);
  return take_in_place_by_avx2(keys, size, pivot, flip);
}

Sides take_sides_in_place(std::byte* keys, std::size_t size, const Pivot<std::uint64_t>& pivot,
                          std::uint64_t flip) noexcept {
  if (!has_fast_sides()) return take_singly_in_place(keys, size, pivot, flip);
  if (!uses_avx512()) return take_in_place_by_avx2(keys, size, pivot, flip);
  return take_in_place_by_avx512<Whole>(keys, size, pivot, flip);
}

Sides take_sides_by_avx2(std::byte* from, std::byte* to, std::size_t size,
                         const Pivot<std::uint32_t>& pivot, std::uint32_t flip) noexcept {
  return take_by_avx2(from, to, size, pivot, flip);
}

Sides take_sides_by_avx2(std::byte* from, std::byte* to, std::size_t size,
                         const Pivot<std::uint64_t>& pivot, std::uint64_t flip) noexcept {
  return take_by_avx2(from, to, size, pivot, flip);
}

Sides take_sides_in_place_by_avx2(std::byte* keys, std::size_t size,
                                  const Pivot<std::uint32_t>& pivot, std::uint32_t flip) noexcept {
  return take_in_place_by_avx2(keys, size, pivot, flip);
}

Sides take_sides_by_compressing(std::byte* from, std::byte* to, std::size_t size,
                                const Pivot<std::uint32_t>& pivot, std::uint32_t flip) noexcept {
  return take_by_avx512<Narrow>(from, to, size, pivot, flip);
}

Sides take_sides_in_place_by_compressing(std::byte* keys, std::size_t size,
                                         const Pivot<std::uint32_t>& pivot,
                                         std::uint32_t flip) noexcept {
  return take_in_place_by_avx512<Narrow>(keys, size, pivot, flip);
}

Sides take_sides_singly(std::byte* from, std::byte* to, std::size_t size,
                        const Pivot<std::uint32_t>& pivot, std::uint32_t flip) noexcept {
  return take_one_by_one(from, to, size, pivot, flip);
}

Sides take_sides_singly(std::byte* from, std::byte* to, std::size_t size,
                        const Pivot<std::uint64_t>& pivot, std::uint64_t flip) noexcept {
  return take_one_by_one(from, to, size, pivot, flip);
}

}  // namespace postroom::sorting
