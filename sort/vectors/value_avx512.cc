#include "sort/vectors/value_vectors.h"

#ifdef __x86_64__

#include <immintrin.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

// All that it includes, before what follows is compiled for other processors.
#include "sort/keys.h"

#pragma GCC push_options
#pragma GCC target("avx512f")
#pragma GCC diagnostic push

#include "sort/vectors/avx512.h"
#include "sort/vectors/value_lanes.h"

namespace postroom::sorting {

std::size_t find_values_by_avx512(const ValueScale<std::uint32_t>& scale, const std::uint32_t* keys,
                                  std::size_t count, std::uint16_t* buckets) noexcept {
  return find_values<Lanes>(scale, keys, count, buckets);
}

std::size_t find_values_by_avx512(const ValueScale<std::uint64_t>& scale, const std::uint64_t* keys,
                                  std::size_t count, std::uint16_t* buckets) noexcept {
  return find_values<Lanes>(scale, keys, count, buckets);
}

}  // namespace postroom::sorting

#pragma GCC diagnostic pop
#pragma GCC pop_options

#endif
