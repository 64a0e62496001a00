// The buckets of floating-point keys by their values (sort/engine/value_digit.h), for some keys at
// once by the vectors that there are. Preconditions: at most 2^16 buckets, and that the processor
// has these vectors. Cost and source: sort/engine/value_digit.h. Nothing here throws.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace postroom::sorting {

/// How keys are read as numbers in fixed point, and where the first bucket lies.
template <class Bits>
struct ValueScale {
  Bits lowest;   // all keys below count as this one,
  Bits highest;  // and all above as that
  Bits shift_at_zero = 0;
  Bits least = 0;  // magnitude; what is smaller counts as that
  std::make_signed_t<Bits> first = 0;
};

template <class Bits>
inline constexpr int kFractionBits = sizeof(Bits) == sizeof(std::uint64_t) ? 52 : 23;

/// AVX2. Of the first keys; returns of how many.
std::size_t find_values_by_avx2(const ValueScale<std::uint32_t>& scale, const std::uint32_t* keys,
                                std::size_t count, std::uint16_t* buckets) noexcept;
std::size_t find_values_by_avx2(const ValueScale<std::uint64_t>& scale, const std::uint64_t* keys,
                                std::size_t count, std::uint16_t* buckets) noexcept;

/// AVX-512 F.
std::size_t find_values_by_avx512(const ValueScale<std::uint32_t>& scale, const std::uint32_t* keys,
                                  std::size_t count, std::uint16_t* buckets) noexcept;
std::size_t find_values_by_avx512(const ValueScale<std::uint64_t>& scale, const std::uint64_t* keys,
                                  std::size_t count, std::uint16_t* buckets) noexcept;

}  // namespace postroom::sorting
