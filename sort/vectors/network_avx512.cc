#include "sort/vectors/network_vectors.h"

#ifdef __x86_64__

#include <immintrin.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

// All that it includes, before what follows is compiled for other processors.
#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#pragma GCC push_options
#pragma GCC target("avx512f")
// GCC 12 takes what its own header leaves undefined on purpose for a mistake.
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"

#include "sort/vectors/network_matrix.h"

namespace postroom::sorting {
namespace {

/// Signed integers of 32 or 64 bits, twice as many as in sort/vectors/network_avx2.cc.
template <class LaneType>
struct Vector {
  using Lane = LaneType;
  static constexpr Lane kLargest = std::numeric_limits<Lane>::max();
  static constexpr std::size_t kLanes = sizeof(__m512i) / sizeof(Lane);
  static constexpr bool kNarrow = sizeof(Lane) == sizeof(std::int32_t);
  using Mask = std::conditional_t<kNarrow, __mmask16, __mmask8>;

  __m512i bits;

  static Vector of(Lane value) {
    if constexpr (kNarrow) return {_mm512_set1_epi32(value)};
    return {_mm512_set1_epi64(value)};
  }
  /// The first `count` lanes.
  static Mask first(std::size_t count) {
    return static_cast<Mask>((1U << std::min(count, kLanes)) - 1);
  }

  static Vector read(const std::byte* from) { return {_mm512_loadu_si512(from)}; }
  /// Lanes outside of the mask are 0, and not read.
  static Vector read(const std::byte* from, Mask mask) {
    if constexpr (kNarrow) return {_mm512_maskz_loadu_epi32(mask, from)};
    return {_mm512_maskz_loadu_epi64(mask, from)};
  }
  void write(std::byte* to) const { _mm512_storeu_si512(to, bits); }
  /// The first `count` lanes, fewer than all.
  void write_first(std::byte* to, std::size_t count) const {
    if constexpr (kNarrow) return _mm512_mask_storeu_epi32(to, first(count), bits);
    _mm512_mask_storeu_epi64(to, first(count), bits);
  }

  Vector operator^(Vector other) const { return {_mm512_xor_si512(bits, other.bits)}; }
  Vector operator|(Vector other) const { return {_mm512_or_si512(bits, other.bits)}; }
  Vector operator&(Vector other) const { return {_mm512_and_si512(bits, other.bits)}; }
  /// Of lanes of 64 bits, here and below.
  Vector operator+(Vector other) const { return {_mm512_add_epi64(bits, other.bits)}; }
  template <int kBits>
  Vector raised() const {
    return {_mm512_slli_epi64(bits, kBits)};
  }
  template <int kBits>
  Vector lowered() const {
    return {_mm512_srli_epi64(bits, kBits)};
  }
  static bool any(Vector a) { return _mm512_test_epi64_mask(a.bits, a.bits) != 0; }
  /// The first lane in all of them.
  Vector first_everywhere() const {
    return {_mm512_broadcastq_epi64(_mm512_castsi512_si128(bits))};
  }
  /// The number of each lane.
  static Vector numbers() { return {_mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7)}; }
  /// The word at `from` that each lane of the mask has the number of; 0 elsewhere.
  static Vector gathered(const std::byte* from, Vector numbers, Mask mask) {
    return {_mm512_mask_i64gather_epi64(_mm512_setzero_si512(), mask, numbers.bits, from,
                                        sizeof(Lane))};
  }
  /// As fold_negative() has it (sort/keys.h).
  Vector folded() const {
    if constexpr (kNarrow) {
      const __m512i signs = _mm512_srai_epi32(bits, 31);
      return {_mm512_xor_si512(bits, _mm512_srli_epi32(signs, 1))};
    } else {
      const __m512i signs = _mm512_srai_epi64(bits, 63);
      return {_mm512_xor_si512(bits, _mm512_srli_epi64(signs, 1))};
    }
  }
  /// The halves of lanes of 64 bits exchanged.
  Vector turned() const { return {_mm512_rol_epi64(bits, 32)}; }
  /// This one in the lanes of the mask, the other one elsewhere.
  Vector where(Mask mask, Vector other) const {
    if constexpr (kNarrow) return {_mm512_mask_blend_epi32(mask, other.bits, bits)};
    return {_mm512_mask_blend_epi64(mask, other.bits, bits)};
  }

  /// Puts the smaller one of each pair of lanes into `low`.
  static void order(Vector& low, Vector& high) {
    const Vector smaller = smaller_of(low, high);
    high = other_of(low, high, smaller);
    low = smaller;
  }
  /// The same, and then exchanges the second lanes of each pair of blocks of so many.
  template <std::size_t kBlock>
  static void order_and_mix(Vector& low, Vector& high) {
    const Vector mixed = ordered_and_mixed<kBlock>(low, high);
    high = other_of(low, high, mixed);
    low = mixed;
  }
  /// The smaller lanes of both in the first lanes of each pair of blocks of so many, the larger
  /// ones in the second.
  template <std::size_t kBlock>
  static Vector ordered_and_mixed(Vector a, Vector b) {
    const Vector smaller = smaller_of(a, b);
    if constexpr (kNarrow) {
      return {_mm512_mask_ternarylogic_epi32(smaller.bits, kSecond<kBlock>, a.bits, b.bits, kXor)};
    } else {
      return {_mm512_mask_ternarylogic_epi64(smaller.bits, kSecond<kBlock>, a.bits, b.bits, kXor)};
    }
  }

  /// Lanes exchanged with those at this distance, in pairs of blocks.
  template <std::size_t kDistance>
  Vector crossed() const {
    constexpr std::size_t kBytes = kDistance * sizeof(Lane);
    if constexpr (kBytes == 4) return {_mm512_shuffle_epi32(bits, _MM_PERM_CDAB)};
    if constexpr (kBytes == 8) return {_mm512_shuffle_epi32(bits, _MM_PERM_BADC)};
    if constexpr (kBytes == 16) return {_mm512_shuffle_i64x2(bits, bits, 0b10'11'00'01)};
    if constexpr (kBytes == 32) return {_mm512_shuffle_i64x2(bits, bits, 0b01'00'11'10)};
  }
  /// Each block of so many lanes turned round.
  template <std::size_t kBlock>
  Vector reversed() const {
    if constexpr (kBlock == 2) {
      return crossed<1>();
    } else {
      alignas(__m512i) static constexpr auto kFrom = [] {
        std::array<Lane, kLanes> from{};
        for (std::size_t i = 0; i < kLanes; ++i) from[i] = static_cast<Lane>(i ^ (kBlock - 1));
        return from;
      }();
      const __m512i from = _mm512_load_si512(kFrom.data());
      if constexpr (kNarrow) return {_mm512_permutexvar_epi32(from, bits)};
      return {_mm512_permutexvar_epi64(from, bits)};
    }
  }
  /// The lanes of both by turns, blocks of so many at a time, within each piece of the vectors.
  template <std::size_t kBlock>
  static void zip(Vector& a, Vector& b) {
    const __m512i x = a.bits;
    const __m512i y = b.bits;
    if constexpr (kBlock * sizeof(Lane) == 4) {
      a.bits = _mm512_unpacklo_epi32(x, y);
      b.bits = _mm512_unpackhi_epi32(x, y);
    } else {
      a.bits = _mm512_unpacklo_epi64(x, y);
      b.bits = _mm512_unpackhi_epi64(x, y);
    }
  }
  /// The first pieces of all side by side, then the second ones, and so on.
  static void turn_pieces(std::array<Vector, 4>& rows) {
    const __m512i a = even_pieces(rows[0], rows[1]);
    const __m512i b = odd_pieces(rows[0], rows[1]);
    const __m512i c = even_pieces(rows[2], rows[3]);
    const __m512i d = odd_pieces(rows[2], rows[3]);
    rows[0].bits = even_pieces({a}, {c});
    rows[1].bits = even_pieces({b}, {d});
    rows[2].bits = odd_pieces({a}, {c});
    rows[3].bits = odd_pieces({b}, {d});
  }
  /// The pieces of both by turns.
  static void zip_pieces(const std::array<Vector, 2>& from, std::array<Vector, 2>& to) {
    const __m512i low = _mm512_shuffle_i64x2(from[0].bits, from[1].bits, 0b01'00'01'00);
    const __m512i high = _mm512_shuffle_i64x2(from[0].bits, from[1].bits, 0b11'10'11'10);
    to[0].bits = _mm512_shuffle_i64x2(low, low, 0b11'01'10'00);
    to[1].bits = _mm512_shuffle_i64x2(high, high, 0b11'01'10'00);
  }

 private:
  static constexpr int kXor = 0b1001'0110;  // of three bits

  /// The second lanes of each pair of blocks of so many.
  template <std::size_t kBlock>
  static constexpr Mask kSecond = [] {
    unsigned lanes = 0;
    for (std::size_t i = 0; i < kLanes; ++i) lanes |= i / kBlock % 2 == 1 ? 1U << i : 0;
    return static_cast<Mask>(lanes);
  }();

  static Vector smaller_of(Vector a, Vector b) {
    if constexpr (kNarrow) return {_mm512_min_epi32(a.bits, b.bits)};
    return {_mm512_min_epi64(a.bits, b.bits)};
  }
  /// Of each pair of lanes the one that was not taken. By all bits of both: Intel's CPUs take twice
  /// as long for a second minimum or maximum (Granite Rapids: 2.05 cycles for both, 1.1 so).
  static Vector other_of(Vector a, Vector b, Vector taken) {
    return {_mm512_ternarylogic_epi64(a.bits, b.bits, taken.bits, kXor)};
  }

  static __m512i even_pieces(Vector a, Vector b) {
    return _mm512_shuffle_i64x2(a.bits, b.bits, 0b10'00'10'00);
  }
  static __m512i odd_pieces(Vector a, Vector b) {
    return _mm512_shuffle_i64x2(a.bits, b.bits, 0b11'01'11'01);
  }
};

}  // namespace

void sort_by_avx512(const std::byte* from, std::byte* to, std::size_t size, std::size_t room,
                    std::int32_t flip) noexcept {
  sort_by_matrix<Vector<std::int32_t>, SortedBy::kKey>(from, to, size, room, flip);
}

void sort_by_avx512(const std::byte* from, std::byte* to, std::size_t size, std::size_t room,
                    std::int64_t flip) noexcept {
  sort_by_matrix<Vector<std::int64_t>, SortedBy::kKey>(from, to, size, room, flip);
}

void sort_floats_by_avx512(std::byte* keys, std::size_t size, std::int32_t flip) noexcept {
  sort_by_matrix<Vector<std::int32_t>, SortedBy::kFolded>(keys, keys, size, size, flip);
}

void sort_floats_by_avx512(std::byte* keys, std::size_t size, std::int64_t flip) noexcept {
  sort_by_matrix<Vector<std::int64_t>, SortedBy::kFolded>(keys, keys, size, size, flip);
}

void sort_words_by_avx512(const std::byte* from, std::byte* to, std::size_t size, std::size_t room,
                          bool by_upper, std::int64_t flip) noexcept {
  using V = Vector<std::int64_t>;
  if (by_upper) return sort_by_matrix<V, SortedBy::kUpperHalf>(from, to, size, room, flip);
  return sort_by_matrix<V, SortedBy::kLowerHalf>(from, to, size, room, flip);
}

}  // namespace postroom::sorting

#pragma GCC pop_options

#endif
