#include "sort/vectors/vector_order.h"

#ifdef __x86_64__

#include <immintrin.h>

// All that is included, before what follows is compiled for other processors.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "numa/cacheline.h"
#include "sort/keys.h"
#include "sort/vectors/compared_rows.h"
#include "sort/vectors/read_ahead.h"

#pragma GCC push_options
#pragma GCC target("avx512f")
#pragma GCC diagnostic push

#include "sort/vectors/avx512.h"
#include "sort/vectors/order_lanes.h"

namespace postroom::sorting {

template <std::size_t kRowBytes, class Bits, bool kFloating>
Neighbours compare_rows_by_avx512(const KeyRows<Bits, kFloating>& keys, std::size_t begin,
                                  std::size_t end, Reading reading) noexcept {
  return compare_by_lanes<Lanes, kRowBytes>(keys, begin, end, reading);
}

#define POSTROOM_ROWS_OF(ROW_BYTES, ...)                                                          \
  template Neighbours compare_rows_by_avx512<ROW_BYTES>(const KeyRows<__VA_ARGS__>&, std::size_t, \
                                                        std::size_t, Reading) noexcept;
POSTROOM_COMPARED_ROWS(POSTROOM_ROWS_OF)

}  // namespace postroom::sorting

#pragma GCC diagnostic pop
#pragma GCC pop_options

#endif
