// Vectors of 64 bytes: integers of 32 or 64 bits, which are compared as signed.
//
// Included where the target of the compiler is AVX-512 F, with what it includes before that. What
// is written with them (sort/vectors/…_lanes.h) is the same with those of sort/vectors/avx2.h.
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

// What the headers of GCC 12 leave undefined in their registers is never read; and vectors go from
// function to function within a file only.
#pragma GCC diagnostic ignored "-Wpsabi"
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"

namespace postroom::sorting {
namespace {

template <class Bits>
struct Lanes {
  static constexpr std::size_t kBytes = sizeof(__m512i);
  static constexpr std::size_t kCount = kBytes / sizeof(Bits);
  static constexpr bool kNarrow = sizeof(Bits) == sizeof(std::uint32_t);

  __m512i bits;

  static Lanes of(Bits value) {
    if constexpr (kNarrow) return {_mm512_set1_epi32(static_cast<int>(value))};
    return {_mm512_set1_epi64(static_cast<long long>(value))};
  }
  static Lanes read(const void* from) { return {_mm512_loadu_si512(from)}; }
  /// The row of 4, 8 or 16 bytes at `from`, again and again.
  template <std::size_t kRowBytes>
  static Lanes repeat(const std::byte* from) {
    if constexpr (kRowBytes == 4) {
      int row;
      std::memcpy(&row, from, sizeof(row));
      return {_mm512_set1_epi32(row)};
    } else if constexpr (kRowBytes == 8) {
      long long row;
      std::memcpy(&row, from, sizeof(row));
      return {_mm512_set1_epi64(row)};
    } else {
      return {_mm512_broadcast_i32x4(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)))};
    }
  }
  /// The last row of `before`, then all rows of this but the last.
  template <std::size_t kRowBytes>
  Lanes one_row_later(Lanes before) const {
    if constexpr (kRowBytes == 4) return {_mm512_alignr_epi32(bits, before.bits, 15)};
    return {_mm512_alignr_epi64(bits, before.bits, (kBytes - kRowBytes) / 8)};
  }
  void write(void* to) const { _mm512_storeu_si512(to, bits); }
  /// The lower 16 bits of each.
  void write_halves(std::uint16_t* to) const {
    if constexpr (kNarrow) {
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm512_cvtepi32_epi16(bits));
    } else {
      _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm512_cvtepi64_epi16(bits));
    }
  }

  Lanes operator^(Lanes other) const { return {_mm512_xor_si512(bits, other.bits)}; }
  Lanes operator|(Lanes other) const { return {_mm512_or_si512(bits, other.bits)}; }
  Lanes operator-(Lanes other) const {
    if constexpr (kNarrow) return {_mm512_sub_epi32(bits, other.bits)};
    return {_mm512_sub_epi64(bits, other.bits)};
  }
  Lanes least(Lanes other) const {
    if constexpr (kNarrow) return {_mm512_min_epi32(bits, other.bits)};
    return {_mm512_min_epi64(bits, other.bits)};
  }
  Lanes most(Lanes other) const {
    if constexpr (kNarrow) return {_mm512_max_epi32(bits, other.bits)};
    return {_mm512_max_epi64(bits, other.bits)};
  }
  /// All bits of a lane that is negative, none of others.
  Lanes signs() const {
    if constexpr (kNarrow) return {_mm512_srai_epi32(bits, 31)};
    return {_mm512_srai_epi64(bits, 63)};
  }
  template <int kBits>
  Lanes up() const {
    if constexpr (kNarrow) return {_mm512_slli_epi32(bits, kBits)};
    return {_mm512_slli_epi64(bits, kBits)};
  }
  template <int kBits>
  Lanes down() const {
    if constexpr (kNarrow) return {_mm512_srli_epi32(bits, kBits)};
    return {_mm512_srli_epi64(bits, kBits)};
  }
  Lanes down(Lanes by) const {
    if constexpr (kNarrow) return {_mm512_srlv_epi32(bits, by.bits)};
    return {_mm512_srlv_epi64(bits, by.bits)};
  }

  // Some bits of each lane of which that is so, none of others. (A comparison gives a mask, which
  // it takes an instruction more to gather.)
  Lanes is_above(Lanes other) const { return most(other) ^ other; }
  Lanes is_below(Lanes other) const { return least(other) ^ other; }
  Lanes is(Lanes other) const {
    if constexpr (kNarrow) {
      return {_mm512_maskz_set1_epi32(_mm512_cmpeq_epi32_mask(bits, other.bits), 1)};
    }
    return {_mm512_maskz_set1_epi64(_mm512_cmpeq_epi64_mask(bits, other.bits), 1)};
  }
  /// A bit for each lane that is below.
  unsigned mask_below(Lanes other) const {
    if constexpr (kNarrow) return _mm512_cmplt_epi32_mask(bits, other.bits);
    return _mm512_cmplt_epi64_mask(bits, other.bits);
  }
  /// Whether any bit is set here and there.
  bool meets(Lanes other) const { return _mm512_test_epi32_mask(bits, other.bits) != 0; }
};

}  // namespace
}  // namespace postroom::sorting
