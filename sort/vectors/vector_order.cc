#include "sort/vectors/vector_order.h"

#include "numa/vectors.h"
#include "sort/vectors/compared_rows.h"

namespace postroom::sorting {

bool can_compare_rows(std::size_t offset, std::size_t key_bytes) noexcept {
  return uses_avx2() && offset % key_bytes == 0;
}

template <std::size_t kRowBytes, class Bits, bool kFloating>
Neighbours compare_rows(const KeyRows<Bits, kFloating>& keys, std::size_t begin, std::size_t end,
                        [[maybe_unused]] Reading reading) noexcept {
#ifdef __x86_64__
  if (uses_avx512()) return compare_rows_by_avx512<kRowBytes>(keys, begin, end, reading);
  if (uses_avx2()) return compare_rows_by_avx2<kRowBytes>(keys, begin, end, reading);
#endif
  return compare_rows_singly<kRowBytes>(keys, begin, end);
}

template <std::size_t kRowBytes, class Bits, bool kFloating>
Neighbours compare_rows_singly(const KeyRows<Bits, kFloating>& keys, std::size_t begin,
                               std::size_t end) noexcept {
  Neighbours seen;
  for (std::size_t i = begin; i < end; ++i) {
    const Bits before = keys.template key<kRowBytes>(i - 1);
    const Bits key = keys.template key<kRowBytes>(i);
    seen.add({before < key, key < before, key == before});
  }
  return seen;
}

#define POSTROOM_ROWS_OF(ROW_BYTES, ...)                                                       \
  template Neighbours compare_rows<ROW_BYTES>(const KeyRows<__VA_ARGS__>&, std::size_t,        \
                                              std::size_t, Reading) noexcept;                  \
  template Neighbours compare_rows_singly<ROW_BYTES>(const KeyRows<__VA_ARGS__>&, std::size_t, \
                                                     std::size_t) noexcept;
POSTROOM_COMPARED_ROWS(POSTROOM_ROWS_OF)

}  // namespace postroom::sorting
