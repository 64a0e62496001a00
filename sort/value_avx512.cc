#include "sort/value_vectors.h"

#ifdef __x86_64__

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

// All that it includes, before what follows is compiled for other processors.
#include "sort/keys.h"

#pragma GCC push_options
#pragma GCC target("avx512f")
// What the headers of GCC 12 leave undefined in their registers is never read; and vectors go from
// function to function within this file only.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"

#include "sort/value_lanes.h"

namespace postroom::sorting {
namespace {

/// Signed integers of 32 or 64 bits.
template <class Bits>
struct Vector {
  static constexpr std::size_t kLanes = sizeof(__m512i) / sizeof(Bits);
  static constexpr bool kNarrow = sizeof(Bits) == sizeof(std::uint32_t);

  __m512i bits;

  static Vector of(Bits value) {
    if constexpr (kNarrow) return {_mm512_set1_epi32(static_cast<int>(value))};
    return {_mm512_set1_epi64(static_cast<long long>(value))};
  }
  static Vector read(const Bits* from) { return {_mm512_loadu_si512(from)}; }
  void write_low_halves(std::uint16_t* to) const {
    if constexpr (kNarrow) {
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm512_cvtepi32_epi16(bits));
    } else {
      _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm512_cvtepi64_epi16(bits));
    }
  }

  Vector operator^(Vector other) const { return {_mm512_xor_si512(bits, other.bits)}; }
  Vector operator|(Vector other) const { return {_mm512_or_si512(bits, other.bits)}; }
  Vector operator-(Vector other) const {
    if constexpr (kNarrow) return {_mm512_sub_epi32(bits, other.bits)};
    return {_mm512_sub_epi64(bits, other.bits)};
  }
  Vector least(Vector other) const {
    if constexpr (kNarrow) return {_mm512_min_epi32(bits, other.bits)};
    return {_mm512_min_epi64(bits, other.bits)};
  }
  Vector most(Vector other) const {
    if constexpr (kNarrow) return {_mm512_max_epi32(bits, other.bits)};
    return {_mm512_max_epi64(bits, other.bits)};
  }
  /// All bits of a lane that is negative, none of others.
  Vector signs() const {
    if constexpr (kNarrow) return {_mm512_srai_epi32(bits, 31)};
    return {_mm512_srai_epi64(bits, 63)};
  }
  template <int kBits>
  Vector up() const {
    if constexpr (kNarrow) return {_mm512_slli_epi32(bits, kBits)};
    return {_mm512_slli_epi64(bits, kBits)};
  }
  template <int kBits>
  Vector down() const {
    if constexpr (kNarrow) return {_mm512_srli_epi32(bits, kBits)};
    return {_mm512_srli_epi64(bits, kBits)};
  }
  Vector down(Vector by) const {
    if constexpr (kNarrow) return {_mm512_srlv_epi32(bits, by.bits)};
    return {_mm512_srlv_epi64(bits, by.bits)};
  }
};

}  // namespace

std::size_t find_values_by_avx512(const ValueScale<std::uint32_t>& scale, const std::uint32_t* keys,
                                  std::size_t count, std::uint16_t* buckets) noexcept {
  return find_values<Vector<std::uint32_t>>(scale, keys, count, buckets);
}

std::size_t find_values_by_avx512(const ValueScale<std::uint64_t>& scale, const std::uint64_t* keys,
                                  std::size_t count, std::uint16_t* buckets) noexcept {
  return find_values<Vector<std::uint64_t>>(scale, keys, count, buckets);
}

}  // namespace postroom::sorting

#pragma GCC diagnostic pop
#pragma GCC pop_options

#endif
