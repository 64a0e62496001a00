#include "sort/engine/value_digit.h"

#include "numa/vectors.h"

namespace postroom::sorting {

#ifdef __x86_64__

template <class Bits>
std::size_t ValueDigit<Bits>::find_by_vectors(const Bits* keys, std::size_t count,
                                              std::uint16_t* buckets) const noexcept {
  if (uses_avx512()) return find_values_by_avx512(scale_, keys, count, buckets);
  return uses_avx2() ? find_values_by_avx2(scale_, keys, count, buckets) : 0;
}

#else

template <class Bits>
std::size_t ValueDigit<Bits>::find_by_vectors(const Bits* /*keys*/, std::size_t /*count*/,
                                              std::uint16_t* /*buckets*/) const noexcept {
  return 0;
}

#endif

template <class Bits>
void ValueDigit<Bits>::of_all(const Bits* keys, std::size_t count,
                              std::uint16_t* buckets) const noexcept {
  for (std::size_t i = find_by_vectors(keys, count, buckets); i < count; ++i) {
    buckets[i] = static_cast<std::uint16_t>(of(keys[i]));
  }
}

template class ValueDigit<std::uint32_t>;
template class ValueDigit<std::uint64_t>;

}  // namespace postroom::sorting
