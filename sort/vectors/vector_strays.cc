#include "sort/vectors/vector_strays.h"

#include <cstring>

#include "numa/vectors.h"
#include "sort/vectors/compared_rows.h"

namespace postroom::sorting {

template <std::size_t kRowBytes, class Bits>
std::size_t first_fall(const KeyRows<Bits>& keys, std::size_t begin, std::size_t end) noexcept {
#ifdef __x86_64__
  if (uses_avx512()) return first_fall_by_avx512<kRowBytes>(keys, begin, end);
  if (uses_avx2()) return first_fall_by_avx2<kRowBytes>(keys, begin, end);
#endif
  return first_fall_singly<kRowBytes>(keys, begin, end);
}

template <std::size_t kRowBytes, class Bits>
std::size_t raise_above(std::byte* rows, const KeyRows<Bits>& keys, std::size_t end, std::size_t to,
                        Bits key) noexcept {
#ifdef __x86_64__
  if (uses_avx512()) return raise_above_by_avx512<kRowBytes>(rows, keys, end, to, key);
  if (uses_avx2()) return raise_above_by_avx2<kRowBytes>(rows, keys, end, to, key);
#endif
  return raise_above_singly<kRowBytes>(rows, keys, end, to, key);
}

template <std::size_t kRowBytes, class Bits>
std::size_t first_fall_singly(const KeyRows<Bits>& keys, std::size_t begin,
                              std::size_t end) noexcept {
  while (begin < end &&
         keys.template key<kRowBytes>(begin - 1) <= keys.template key<kRowBytes>(begin)) {
    ++begin;
  }
  return begin;
}

template <std::size_t kRowBytes, class Bits>
std::size_t raise_above_singly(std::byte* rows, const KeyRows<Bits>& keys, std::size_t end,
                               std::size_t to, Bits key) noexcept {
  std::size_t count = 0;
  while (count < end && key < keys.template key<kRowBytes>(end - count - 1)) {
    ++count;
    std::memcpy(rows + (to - count) * kRowBytes, rows + (end - count) * kRowBytes, kRowBytes);
  }
  return count;
}

#define POSTROOM_STRAYS_OF(ROW_BYTES, BITS)                                                  \
  template std::size_t first_fall<ROW_BYTES>(const KeyRows<BITS>&, std::size_t,              \
                                             std::size_t) noexcept;                          \
  template std::size_t first_fall_singly<ROW_BYTES>(const KeyRows<BITS>&, std::size_t,       \
                                                    std::size_t) noexcept;                   \
  template std::size_t raise_above<ROW_BYTES>(std::byte*, const KeyRows<BITS>&, std::size_t, \
                                              std::size_t, BITS) noexcept;                   \
  template std::size_t raise_above_singly<ROW_BYTES>(std::byte*, const KeyRows<BITS>&,       \
                                                     std::size_t, std::size_t, BITS) noexcept;
POSTROOM_INTEGER_ROWS(POSTROOM_STRAYS_OF)

}  // namespace postroom::sorting
