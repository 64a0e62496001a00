// What sort/vectors/value_avx2.cc and sort/vectors/value_avx512.cc do with their vectors:
// ValueDigit::of() for the keys of a whole vector. Keys are compared as signed, which is their
// order with the top bit turned over.
//
// For the Lanes of sort/vectors/avx2.h or sort/vectors/avx512.h.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sort/keys.h"
#include "sort/vectors/value_vectors.h"

namespace postroom::sorting {
namespace {

template <template <class> class Lanes, class Bits>
std::size_t find_values(const ValueScale<Bits>& scale, const Bits* keys, std::size_t count,
                        std::uint16_t* buckets) noexcept {
  using Vector = Lanes<Bits>;
  constexpr int kBits = 8 * sizeof(Bits);
  const Vector top = Vector::of(kTopBit<Bits>);
  const Vector lowest = Vector::of(scale.lowest) ^ top;
  const Vector highest = Vector::of(scale.highest) ^ top;
  const Vector least = Vector::of(scale.least);
  const Vector shift_at_zero = Vector::of(scale.shift_at_zero);
  const Vector first = Vector::of(static_cast<Bits>(scale.first));
  std::size_t i = 0;
  for (; i + Vector::kCount <= count; i += Vector::kCount) {
    const Vector key = (Vector::read(keys + i) ^ top).most(lowest).least(highest);
    const Vector sign = key.signs();
    const Vector magnitude = (key ^ sign).most(least);
    const Vector shift = shift_at_zero - magnitude.template down<kFractionBits<Bits>>();
    const Vector bits = magnitude.template up<kBits - 1 - kFractionBits<Bits>>() | top;
    const Vector number = bits.template down<1>().down(shift);
    ((number ^ sign) - first).write_halves(buckets + i);
  }
  return i;
}

}  // namespace
}  // namespace postroom::sorting
