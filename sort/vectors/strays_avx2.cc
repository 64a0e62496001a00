#include "sort/vectors/vector_strays.h"

#ifdef __x86_64__

#include <immintrin.h>

// All that is included, before what follows is compiled for other processors.
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "sort/keys.h"
#include "sort/vectors/compared_rows.h"
#include "sort/vectors/read_ahead.h"

#pragma GCC push_options
#pragma GCC target("avx2,popcnt,bmi")
#pragma GCC diagnostic push

#include "sort/vectors/avx2.h"
#include "sort/vectors/strays_lanes.h"

namespace postroom::sorting {

template <std::size_t kRowBytes, class Bits>
[[gnu::flatten]] std::size_t first_fall_by_avx2(const KeyRows<Bits>& keys, std::size_t begin,
                                                std::size_t end) noexcept {
  return StrayRows<Lanes, kRowBytes, Bits>(keys).first_fall(begin, end);
}

template <std::size_t kRowBytes, class Bits>
[[gnu::flatten]] std::size_t raise_above_by_avx2(std::byte* rows, const KeyRows<Bits>& keys,
                                                 std::size_t end, std::size_t to,
                                                 Bits key) noexcept {
  return StrayRows<Lanes, kRowBytes, Bits>(keys).raise_above(rows, end, to, key);
}

#define POSTROOM_STRAYS_OF(ROW_BYTES, BITS)                                             \
  template std::size_t first_fall_by_avx2<ROW_BYTES>(const KeyRows<BITS>&, std::size_t, \
                                                     std::size_t) noexcept;             \
  template std::size_t raise_above_by_avx2<ROW_BYTES>(std::byte*, const KeyRows<BITS>&, \
                                                      std::size_t, std::size_t, BITS) noexcept;
POSTROOM_INTEGER_ROWS(POSTROOM_STRAYS_OF)

}  // namespace postroom::sorting

#pragma GCC diagnostic pop
#pragma GCC pop_options

#endif
