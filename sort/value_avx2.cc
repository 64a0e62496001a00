#include "sort/value_vectors.h"

#ifdef __x86_64__

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

// All that it includes, before what follows is compiled for other processors.
#include "sort/keys.h"

#pragma GCC push_options
#pragma GCC target("avx2")

#include "sort/value_lanes.h"

namespace postroom::sorting {
namespace {

/// Signed integers of 32 or 64 bits.
template <class Bits>
struct Vector {
  static constexpr std::size_t kLanes = sizeof(__m256i) / sizeof(Bits);
  static constexpr bool kNarrow = sizeof(Bits) == sizeof(std::uint32_t);

  __m256i bits;

  static Vector of(Bits value) {
    if constexpr (kNarrow) return {_mm256_set1_epi32(static_cast<int>(value))};
    return {_mm256_set1_epi64x(static_cast<long long>(value))};
  }
  static Vector read(const Bits* from) {
    return {_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from))};
  }
  void write_low_halves(std::uint16_t* to) const {
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

  Vector operator^(Vector other) const { return {_mm256_xor_si256(bits, other.bits)}; }
  Vector operator|(Vector other) const { return {_mm256_or_si256(bits, other.bits)}; }
  Vector operator-(Vector other) const {
    if constexpr (kNarrow) return {_mm256_sub_epi32(bits, other.bits)};
    return {_mm256_sub_epi64(bits, other.bits)};
  }
  Vector least(Vector other) const {
    if constexpr (kNarrow) return {_mm256_min_epi32(bits, other.bits)};
    return {_mm256_blendv_epi8(bits, other.bits, _mm256_cmpgt_epi64(bits, other.bits))};
  }
  Vector most(Vector other) const {
    if constexpr (kNarrow) return {_mm256_max_epi32(bits, other.bits)};
    return {_mm256_blendv_epi8(other.bits, bits, _mm256_cmpgt_epi64(bits, other.bits))};
  }
  /// All bits of a lane that is negative, none of others.
  Vector signs() const {
    if constexpr (kNarrow) return {_mm256_srai_epi32(bits, 31)};
    return {_mm256_cmpgt_epi64(_mm256_setzero_si256(), bits)};
  }
  template <int kBits>
  Vector up() const {
    if constexpr (kNarrow) return {_mm256_slli_epi32(bits, kBits)};
    return {_mm256_slli_epi64(bits, kBits)};
  }
  template <int kBits>
  Vector down() const {
    if constexpr (kNarrow) return {_mm256_srli_epi32(bits, kBits)};
    return {_mm256_srli_epi64(bits, kBits)};
  }
  Vector down(Vector by) const {
    if constexpr (kNarrow) return {_mm256_srlv_epi32(bits, by.bits)};
    return {_mm256_srlv_epi64(bits, by.bits)};
  }
};

}  // namespace

std::size_t find_values_by_avx2(const ValueScale<std::uint32_t>& scale, const std::uint32_t* keys,
                                std::size_t count, std::uint16_t* buckets) noexcept {
  return find_values<Vector<std::uint32_t>>(scale, keys, count, buckets);
}

std::size_t find_values_by_avx2(const ValueScale<std::uint64_t>& scale, const std::uint64_t* keys,
                                std::size_t count, std::uint16_t* buckets) noexcept {
  return find_values<Vector<std::uint64_t>>(scale, keys, count, buckets);
}

}  // namespace postroom::sorting

#pragma GCC pop_options

#endif
