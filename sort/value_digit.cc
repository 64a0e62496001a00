#include "sort/value_digit.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace postroom::sorting {
namespace {

#ifdef __x86_64__

#pragma GCC push_options
#pragma GCC target("avx512f")
// What the headers of GCC 12 leave undefined in their registers is never read; and vectors go from
// function to function within this file only.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"

template <class Bits>
struct Vector;

template <>
struct Vector<std::uint32_t> {
  static constexpr std::size_t kKeys = 16;
  static __m512i of(std::uint32_t word) { return _mm512_set1_epi32(static_cast<int>(word)); }
  static __m512i least(__m512i a, __m512i b) { return _mm512_min_epu32(a, b); }
  static __m512i most(__m512i a, __m512i b) { return _mm512_max_epu32(a, b); }
  static __m512i difference(__m512i a, __m512i b) { return _mm512_sub_epi32(a, b); }
  static __m512i top_bits(__m512i a) { return _mm512_srai_epi32(a, 31); }
  template <int kBits>
  static __m512i up(__m512i a) {
    return _mm512_slli_epi32(a, kBits);
  }
  template <int kBits>
  static __m512i down(__m512i a) {
    return _mm512_srli_epi32(a, kBits);
  }
  static __m512i down(__m512i a, __m512i bits) { return _mm512_srlv_epi32(a, bits); }
  static void store(std::uint16_t* to, __m512i a) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm512_cvtepi32_epi16(a));
  }
};

template <>
struct Vector<std::uint64_t> {
  static constexpr std::size_t kKeys = 8;
  static __m512i of(std::uint64_t word) { return _mm512_set1_epi64(static_cast<long long>(word)); }
  static __m512i least(__m512i a, __m512i b) { return _mm512_min_epu64(a, b); }
  static __m512i most(__m512i a, __m512i b) { return _mm512_max_epu64(a, b); }
  static __m512i difference(__m512i a, __m512i b) { return _mm512_sub_epi64(a, b); }
  static __m512i top_bits(__m512i a) { return _mm512_srai_epi64(a, 63); }
  template <int kBits>
  static __m512i up(__m512i a) {
    return _mm512_slli_epi64(a, kBits);
  }
  template <int kBits>
  static __m512i down(__m512i a) {
    return _mm512_srli_epi64(a, kBits);
  }
  static __m512i down(__m512i a, __m512i bits) { return _mm512_srlv_epi64(a, bits); }
  static void store(std::uint16_t* to, __m512i a) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm512_cvtepi64_epi16(a));
  }
};

}  // namespace

template <class Bits>
[[gnu::flatten]] std::size_t ValueDigit<Bits>::find_by_vectors(
    const Bits* keys, std::size_t count, std::uint16_t* buckets) const noexcept {
  using V = Vector<Bits>;
  const auto xor3 = [](__m512i a, __m512i b, __m512i c) {
    return _mm512_xor_si512(_mm512_xor_si512(a, b), c);
  };
  const __m512i all = V::of(static_cast<Bits>(~Bits{0}));
  const __m512i top = V::of(kTopBit<Bits>);
  const __m512i but_top = _mm512_xor_si512(all, top);
  const __m512i lowest = V::of(lowest_);
  const __m512i highest = V::of(highest_);
  const __m512i least = V::of(least_);
  const __m512i shift_at_zero = V::of(shift_at_zero_);
  const __m512i first = V::of(static_cast<Bits>(first_));
  std::size_t i = 0;
  for (; i + V::kKeys <= count; i += V::kKeys) {
    const __m512i key = V::least(V::most(_mm512_loadu_si512(keys + i), lowest), highest);
    const __m512i positive = V::top_bits(key);
    const __m512i magnitude = V::most(xor3(key, positive, but_top), least);
    const __m512i shift = V::difference(shift_at_zero, V::template down<kFractionBits>(magnitude));
    const __m512i bits = _mm512_or_si512(V::template up<kBits - 1 - kFractionBits>(magnitude), top);
    const __m512i number = V::down(V::template down<1>(bits), shift);
    V::store(buckets + i, V::difference(xor3(number, positive, all), first));
  }
  return i;
}

#pragma GCC diagnostic pop
#pragma GCC pop_options

template <class Bits>
bool ValueDigit<Bits>::has_vectors() noexcept {
  static const bool has = __builtin_cpu_supports("avx512f") != 0;
  return has;
}

#else

}  // namespace

template <class Bits>
std::size_t ValueDigit<Bits>::find_by_vectors(const Bits* /*keys*/, std::size_t /*count*/,
                                              std::uint16_t* /*buckets*/) const noexcept {
  return 0;
}

template <class Bits>
bool ValueDigit<Bits>::has_vectors() noexcept {
  return false;
}

#endif

template <class Bits>
void ValueDigit<Bits>::of_all(const Bits* keys, std::size_t count,
                              std::uint16_t* buckets) const noexcept {
  for (std::size_t i = has_vectors() ? find_by_vectors(keys, count, buckets) : 0; i < count; ++i) {
    buckets[i] = static_cast<std::uint16_t>(of(keys[i]));
  }
}

template class ValueDigit<std::uint32_t>;
template class ValueDigit<std::uint64_t>;

}  // namespace postroom::sorting
