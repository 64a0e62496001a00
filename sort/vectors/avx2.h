// Vectors of 32 bytes: integers of 32 or 64 bits, which are compared as signed.
//
// Included where the target of the compiler is AVX2, with what it includes before that. What is
// written with them (sort/vectors/…_lanes.h) is the same with those of sort/vectors/avx512.h.
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace postroom::sorting {
namespace {

template <class Bits>
struct Lanes {
  static constexpr std::size_t kBytes = sizeof(__m256i);
  static constexpr std::size_t kCount = kBytes / sizeof(Bits);
  static constexpr bool kNarrow = sizeof(Bits) == sizeof(std::uint32_t);

  __m256i bits;

  static Lanes of(Bits value) {
    if constexpr (kNarrow) return {_mm256_set1_epi32(static_cast<int>(value))};
    return {_mm256_set1_epi64x(static_cast<long long>(value))};
  }
  static Lanes read(const void* from) {
    return {_mm256_loadu_si256(static_cast<const __m256i*>(from))};
  }
  /// The row of 4, 8 or 16 bytes at `from`, again and again.
  template <std::size_t kRowBytes>
  static Lanes repeat(const std::byte* from) {
    if constexpr (kRowBytes == 4) {
      int row;
      std::memcpy(&row, from, sizeof(row));
      return {_mm256_set1_epi32(row)};
    } else if constexpr (kRowBytes == 8) {
      long long row;
      std::memcpy(&row, from, sizeof(row));
      return {_mm256_set1_epi64x(row)};
    } else {
      return {_mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)))};
    }
  }
  /// The last row of `before`, then all rows of this but the last.
  template <std::size_t kRowBytes>
  Lanes one_row_later(Lanes before) const {
    const __m256i middle = _mm256_permute2x128_si256(before.bits, bits, 0x21);
    if constexpr (kRowBytes == 16) return {middle};
    return {_mm256_alignr_epi8(bits, middle, 16 - kRowBytes)};
  }
  void write(void* to) const { _mm256_storeu_si256(static_cast<__m256i*>(to), bits); }
  /// The lower 16 bits of each.
  void write_halves(std::uint16_t* to) const {
    if constexpr (kNarrow) {
      const __m128i halves =
          _mm_packus_epi32(_mm256_castsi256_si128(bits), _mm256_extracti128_si256(bits, 1));
      _mm_storeu_si128(reinterpret_cast<__m128i*>(to), halves);
    } else {
      const __m256i even = _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6);
      const __m128i words = _mm256_castsi256_si128(_mm256_permutevar8x32_epi32(bits, even));
      _mm_storel_epi64(reinterpret_cast<__m128i*>(to), _mm_packus_epi32(words, words));
    }
  }

  Lanes operator^(Lanes other) const { return {_mm256_xor_si256(bits, other.bits)}; }
  Lanes operator|(Lanes other) const { return {_mm256_or_si256(bits, other.bits)}; }
  Lanes operator-(Lanes other) const {
    if constexpr (kNarrow) return {_mm256_sub_epi32(bits, other.bits)};
    return {_mm256_sub_epi64(bits, other.bits)};
  }
  Lanes least(Lanes other) const {
    if constexpr (kNarrow) return {_mm256_min_epi32(bits, other.bits)};
    return {_mm256_blendv_epi8(bits, other.bits, is_above(other).bits)};
  }
  Lanes most(Lanes other) const {
    if constexpr (kNarrow) return {_mm256_max_epi32(bits, other.bits)};
    return {_mm256_blendv_epi8(other.bits, bits, is_above(other).bits)};
  }
  /// All bits of a lane that is negative, none of others.
  Lanes signs() const {
    if constexpr (kNarrow) return {_mm256_srai_epi32(bits, 31)};
    return of(0).is_above(*this);
  }
  template <int kBits>
  Lanes up() const {
    if constexpr (kNarrow) return {_mm256_slli_epi32(bits, kBits)};
    return {_mm256_slli_epi64(bits, kBits)};
  }
  template <int kBits>
  Lanes down() const {
    if constexpr (kNarrow) return {_mm256_srli_epi32(bits, kBits)};
    return {_mm256_srli_epi64(bits, kBits)};
  }
  Lanes down(Lanes by) const {
    if constexpr (kNarrow) return {_mm256_srlv_epi32(bits, by.bits)};
    return {_mm256_srlv_epi64(bits, by.bits)};
  }

  // Some bits of each lane of which that is so, none of others.
  Lanes is_above(Lanes other) const {
    if constexpr (kNarrow) return {_mm256_cmpgt_epi32(bits, other.bits)};
    return {_mm256_cmpgt_epi64(bits, other.bits)};
  }
  Lanes is_below(Lanes other) const { return other.is_above(*this); }
  Lanes is(Lanes other) const {
    if constexpr (kNarrow) return {_mm256_cmpeq_epi32(bits, other.bits)};
    return {_mm256_cmpeq_epi64(bits, other.bits)};
  }
  /// A bit for each lane that is below.
  unsigned mask_below(Lanes other) const {
    const __m256i below = is_below(other).bits;
    if constexpr (kNarrow) {
      return static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(below)));
    }
    return static_cast<unsigned>(_mm256_movemask_pd(_mm256_castsi256_pd(below)));
  }
  /// Whether any bit is set here and there.
  bool meets(Lanes other) const { return _mm256_testz_si256(bits, other.bits) == 0; }
};

}  // namespace
}  // namespace postroom::sorting
