// The networks of sort/vectors/network_sort.h by the vectors that there are, for keys as signed
// integers. Preconditions as there, and that the processor has these vectors.
#pragma once

#include <cstddef>
#include <cstdint>

namespace postroom::sorting {

inline constexpr std::size_t kAvx2Bytes = 32;
inline constexpr std::size_t kAvx512Bytes = 64;

/// AVX2.
void sort_by_avx2(const std::byte* from, std::byte* to, std::size_t size, std::size_t room,
                  std::int32_t flip) noexcept;
void sort_by_avx2(const std::byte* from, std::byte* to, std::size_t size, std::size_t room,
                  std::int64_t flip) noexcept;

/// AVX-512 F.
void sort_by_avx512(const std::byte* from, std::byte* to, std::size_t size, std::size_t room,
                    std::int32_t flip) noexcept;
void sort_by_avx512(const std::byte* from, std::byte* to, std::size_t size, std::size_t room,
                    std::int64_t flip) noexcept;
void sort_floats_by_avx512(std::byte* keys, std::size_t size, std::int32_t flip) noexcept;
void sort_floats_by_avx512(std::byte* keys, std::size_t size, std::int64_t flip) noexcept;
void sort_words_by_avx512(const std::byte* from, std::byte* to, std::size_t size, std::size_t room,
                          bool by_upper, std::int64_t flip) noexcept;

}  // namespace postroom::sorting
