#include "sort/vector_sides.h"

#include <cstring>

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace postroom::sorting {
namespace {

template <class Bits>
Sides take_one_by_one(const std::byte* from, std::byte* to, std::size_t size, Bits key,
                      Bits flip) noexcept {
  std::byte* low = to;
  std::byte* high = to + size * sizeof(Bits);
  // There is always a free place, between the two.
  for (std::size_t i = 0; i < size; ++i) {
    Bits one;
    std::memcpy(&one, from + i * sizeof(Bits), sizeof(Bits));
    const Bits ordered = one ^ flip;
    std::memcpy(low, &one, sizeof(Bits));
    low += ordered < key ? sizeof(Bits) : 0;
    std::memcpy(high - sizeof(Bits), &one, sizeof(Bits));
    high -= ordered > key ? sizeof(Bits) : 0;
  }
  return {static_cast<std::size_t>(low - to) / sizeof(Bits),
          size - static_cast<std::size_t>(high - to) / sizeof(Bits)};
}

#ifdef __x86_64__

#pragma GCC push_options
#pragma GCC target("avx512f,bmi2,popcnt")

struct Narrow {
  using Mask = __mmask16;
  static constexpr std::size_t kLanes = 16;
  static __m512i of(std::uint32_t value) { return _mm512_set1_epi32(static_cast<int>(value)); }
  static __m512i read(Mask mask, const std::byte* from) {
    return _mm512_maskz_loadu_epi32(mask, from);
  }
  static Mask below(Mask mask, __m512i a, __m512i b) {
    return _mm512_mask_cmplt_epu32_mask(mask, a, b);
  }
  static __m512i pushed(Mask mask, __m512i keys) { return _mm512_maskz_compress_epi32(mask, keys); }
  static void write(std::byte* to, Mask mask, __m512i keys) {
    _mm512_mask_storeu_epi32(to, mask, keys);
  }
};

struct Wide {
  using Mask = __mmask8;
  static constexpr std::size_t kLanes = 8;
  static __m512i of(std::uint64_t value) {
    return _mm512_set1_epi64(static_cast<long long>(value));
  }
  static __m512i read(Mask mask, const std::byte* from) {
    return _mm512_maskz_loadu_epi64(mask, from);
  }
  static Mask below(Mask mask, __m512i a, __m512i b) {
    return _mm512_mask_cmplt_epu64_mask(mask, a, b);
  }
  static __m512i pushed(Mask mask, __m512i keys) { return _mm512_maskz_compress_epi64(mask, keys); }
  static void write(std::byte* to, Mask mask, __m512i keys) {
    _mm512_mask_storeu_epi64(to, mask, keys);
  }
};

template <class V, class Bits>
[[gnu::flatten]] Sides take_by_vectors(const std::byte* from, std::byte* to, std::size_t size,
                                       Bits key, Bits flip) noexcept {
  using Mask = typename V::Mask;
  const auto keys = V::of(key);
  const auto flips = V::of(flip);
  std::byte* low = to;
  std::byte* high = to + size * sizeof(Bits);
  const auto take = [&](std::size_t i, Mask there) {
    const __m512i read = V::read(there, from + i * sizeof(Bits));
    const __m512i ordered = _mm512_xor_si512(read, flips);
    const Mask below = V::below(there, ordered, keys);
    const Mask above = V::below(there, keys, ordered);
    const auto lows = static_cast<unsigned>(_mm_popcnt_u32(below));
    const auto highs = static_cast<unsigned>(_mm_popcnt_u32(above));
    // As many places are free as there are keys that have not been written, these among them.
    V::write(low, there, V::pushed(below, read));
    low += lows * sizeof(Bits);
    high -= highs * sizeof(Bits);
    V::write(high, static_cast<Mask>(_bzhi_u32(~0U, highs)), V::pushed(above, read));
  };
  std::size_t i = 0;
#pragma GCC unroll 4
  for (; i + V::kLanes <= size; i += V::kLanes) take(i, static_cast<Mask>(~0U));
  if (i < size) take(i, static_cast<Mask>(_bzhi_u32(~0U, static_cast<unsigned>(size - i))));
  return {static_cast<std::size_t>(low - to) / sizeof(Bits),
          size - static_cast<std::size_t>(high - to) / sizeof(Bits)};
}

#pragma GCC pop_options

#endif

}  // namespace

#ifdef __x86_64__

bool has_fast_sides() noexcept {
  static const bool has =
      __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("bmi2") != 0;
  return has;
}

Sides take_sides(const std::byte* from, std::byte* to, std::size_t size, std::uint32_t key,
                 std::uint32_t flip) noexcept {
  if (!has_fast_sides()) return take_sides_singly(from, to, size, key, flip);
  return take_by_vectors<Narrow>(from, to, size, key, flip);
}

Sides take_sides(const std::byte* from, std::byte* to, std::size_t size, std::uint64_t key,
                 std::uint64_t flip) noexcept {
  if (!has_fast_sides()) return take_sides_singly(from, to, size, key, flip);
  return take_by_vectors<Wide>(from, to, size, key, flip);
}

#else

bool has_fast_sides() noexcept { return false; }

Sides take_sides(const std::byte* from, std::byte* to, std::size_t size, std::uint32_t key,
                 std::uint32_t flip) noexcept {
  return take_sides_singly(from, to, size, key, flip);
}

Sides take_sides(const std::byte* from, std::byte* to, std::size_t size, std::uint64_t key,
                 std::uint64_t flip) noexcept {
  return take_sides_singly(from, to, size, key, flip);
}

#endif

Sides take_sides_singly(const std::byte* from, std::byte* to, std::size_t size, std::uint32_t key,
                        std::uint32_t flip) noexcept {
  return take_one_by_one(from, to, size, key, flip);
}

Sides take_sides_singly(const std::byte* from, std::byte* to, std::size_t size, std::uint64_t key,
                        std::uint64_t flip) noexcept {
  return take_one_by_one(from, to, size, key, flip);
}

}  // namespace postroom::sorting
