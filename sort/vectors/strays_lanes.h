// What sort/vectors/strays_avx2.cc and sort/vectors/strays_avx512.cc do with their vectors
// (sort/vectors/vector_strays.h). Keys are compared as signed, which is their order with the top
// bit turned over.
//
// For the Lanes of sort/vectors/avx2.h or sort/vectors/avx512.h.
#pragma once

#include <array>
#include <bit>
#include <cstddef>

#include "sort/keys.h"
#include "sort/vectors/read_ahead.h"
#include "sort/vectors/vector_strays.h"

namespace postroom::sorting {
namespace {

// A mask has a bit for each word as large as a key of the rows that are read at a time.
template <template <class> class Lanes, std::size_t kRowBytes, class Bits>
class StrayRows {
 public:
  using Vector = Lanes<Bits>;
  static constexpr std::size_t kRows = kRowsAtATime<kRowBytes>;
  static constexpr std::size_t kVectors = kRows * kRowBytes / Vector::kBytes;

  explicit StrayRows(const KeyRows<Bits>& keys)
      : keys_(keys),
        flips_(Vector::of(keys.flip ^ kTopBit<Bits>)),
        lanes_(kFirstOfRow << (keys.offset / sizeof(Bits))) {}

  std::size_t first_fall(std::size_t begin, std::size_t end) const noexcept {
    Vector held = Vector::template repeat<kRowBytes>(at(begin - 1)) ^ flips_;
    for (; begin + kRows <= end; begin += kRows) {
      read_ahead_of(at(begin));
      unsigned fallen = 0;
      for (std::size_t v = 0; v < kVectors; ++v) {
        const Vector next = Vector::read(at(begin) + v * Vector::kBytes) ^ flips_;
        // Not by std::exchange: what is compiled for other processors may not hand over vectors.
        const Vector before = next.template one_row_later<kRowBytes>(held);
        held = next;
        fallen |= next.mask_below(before) << (v * Vector::kCount);
      }
      fallen &= lanes_;
      if (fallen != 0) {
        return begin +
               static_cast<std::size_t>(std::countr_zero(fallen)) * sizeof(Bits) / kRowBytes;
      }
    }
    return first_fall_singly<kRowBytes>(keys_, begin, end);
  }

  std::size_t raise_above(std::byte* rows, std::size_t end, std::size_t to,
                          Bits key) const noexcept {
    const Vector limit = Vector::of(key ^ kTopBit<Bits>);
    std::size_t count = 0;
    for (; count + kRows <= end; count += kRows) {
      std::array<Vector, kVectors> moved;
      unsigned above = 0;
      for (std::size_t v = 0; v < kVectors; ++v) {
        moved[v] = Vector::read(at(end - count - kRows) + v * Vector::kBytes);
        above |= limit.mask_below(moved[v] ^ flips_) << (v * Vector::kCount);
      }
      for (std::size_t v = 0; v < kVectors; ++v) {
        moved[v].write(rows + (to - count - kRows) * kRowBytes + v * Vector::kBytes);
      }
      above &= lanes_;
      if (above != lanes_) return count + static_cast<std::size_t>(std::popcount(above));
    }
    return count + raise_above_singly<kRowBytes>(rows, keys_, end - count, to - count, key);
  }

 private:
  static constexpr unsigned kFirstOfRow = [] {
    unsigned lanes = 0;
    for (std::size_t row = 0; row < kRows; ++row) lanes |= 1U << (row * kRowBytes / sizeof(Bits));
    return lanes;
  }();

  const std::byte* at(std::size_t i) const noexcept { return keys_.rows + i * kRowBytes; }

  const KeyRows<Bits>& keys_;
  Vector flips_;
  unsigned lanes_;  // those of keys
};

}  // namespace
}  // namespace postroom::sorting
