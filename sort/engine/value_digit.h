// The bucket of a floating-point key by its value, not by its bits.
//
// Its bits begin with the exponent, which is the same for half of all uniform numbers: digits leave
// them together. Here keys are read as numbers in fixed point, and cut into buckets of equal width.
// Any keys whose bits order as ordered_bits() does may be read so, and come into buckets in order:
// -0 before +0, infinite ones and NaNs in the first or the last. No floating-point instruction is
// used, so neither rounding nor the flushing of small numbers, which another thread may have set
// otherwise, changes where a key belongs.
//
// Cost: 14 instructions a key, or by vectors as many for 64 bytes of them (0.15 ns a double, AMD
// Zen 5), with AVX2 up to 18 for 32 bytes; of a digit of bits 2. Memory: some words. Nothing here
// throws.
//
// Source: W. Dobosiewicz, "Sorting by distributive partitioning" (1978), for buckets of equal
// width; fixed point is our own.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "sort/engine/digit.h"
#include "sort/engine/part.h"
#include "sort/keys.h"
#include "sort/vectors/value_vectors.h"

namespace postroom::sorting {

template <class Bits>
class ValueDigit {
 public:
  static constexpr int kLeastBits = 2;

  /// Up to 2^bits buckets for what lies between two keys, and a little beyond; all else belongs to
  /// the first or the last. Preconditions: lowest <= highest, bits >= kLeastBits.
  ValueDigit(Bits lowest, Bits highest, int bits) noexcept : scale_{lowest, highest} {
    const int top = static_cast<int>(std::max(magnitude_of(lowest), magnitude_of(highest)) >>
                                     kFractionBits<Bits>);
    cut(top, 0);
    const Signed low = fixed(lowest);
    const Signed high = fixed(highest);
    const auto beyond = static_cast<Signed>(distance(low, high) / kBeyond);
    const Signed floor = low < 0 ? kLeast : 0;
    const Signed ceiling = high < 0 ? -1 : kMost;
    scale_.lowest = key_of(std::max(low, floor + beyond) - beyond, top);
    scale_.highest = key_of(std::min(high, ceiling - beyond) + beyond, top);
    int shift = std::max(width_of(distance(fixed(scale_.lowest), fixed(scale_.highest))) - bits, 0);
    while (cut(top, shift) >> bits != 0) ++shift;
  }

  std::size_t values() const noexcept { return static_cast<std::size_t>(last_) + 1; }
  std::size_t of(Bits key) const noexcept {
    key = std::min(std::max(key, scale_.lowest), scale_.highest);
    return static_cast<std::size_t>(distance(scale_.first, fixed(key)));
  }
  /// The same of `count` keys, by vectors where the processor has them (AVX2). Precondition:
  /// at most 2^16 buckets.
  void of_all(const Bits* keys, std::size_t count, std::uint16_t* buckets) const noexcept;

  /// For sort/vectors/value_vectors.h.
  const ValueScale<Bits>& scale() const noexcept { return scale_; }

 private:
  // Of the first keys; how many.
  std::size_t find_by_vectors(const Bits* keys, std::size_t count,
                              std::uint16_t* buckets) const noexcept;

  using Signed = std::make_signed_t<Bits>;
  static constexpr int kBits = std::numeric_limits<Bits>::digits;
  static constexpr Signed kMost = std::numeric_limits<Signed>::max();
  static constexpr Signed kLeast = -kMost;
  // Such a part of the distance of the two keys lies beyond either, where its sign is the same.
  static constexpr Bits kBeyond = 32;

  static Bits distance(Signed from, Signed to) noexcept {
    return static_cast<Bits>(static_cast<Bits>(to) - static_cast<Bits>(from));
  }

  // All bits of a negative key but its sign are turned over.
  static Signed sign_of(Bits key) noexcept {
    return static_cast<Signed>(key ^ kTopBit<Bits>) >> (kBits - 1);
  }
  static Bits magnitude_of(Bits key) noexcept {
    return static_cast<Bits>(key ^ kTopBit<Bits> ^ static_cast<Bits>(sign_of(key)));
  }

  // In units of which numbers of that exponent have 2^(kBits - 2 - shift) or more.
  Bits cut(int exponent, int shift) noexcept {
    scale_.shift_at_zero = static_cast<Bits>(exponent + shift);
    scale_.least = static_cast<Bits>(std::max(exponent + shift - (kBits - 1), 0))
                   << kFractionBits<Bits>;
    scale_.first = fixed(scale_.lowest);
    last_ = distance(scale_.first, fixed(scale_.highest));
    return last_;
  }

  Signed fixed(Bits key) const noexcept {
    const Signed sign = sign_of(key);
    const Bits magnitude = std::max(magnitude_of(key), scale_.least);
    const Bits shift = scale_.shift_at_zero - (magnitude >> kFractionBits<Bits>);
    const Bits bits = (magnitude << (kBits - 1 - kFractionBits<Bits>) | kTopBit<Bits>) >> 1;
    return static_cast<Signed>(bits >> shift) ^ sign;
  }

  // The key of a number whose units are those of cut(exponent, 0).
  static Bits key_of(Signed number, int exponent) noexcept {
    const auto sign = static_cast<Bits>(number >> (kBits - 1));
    const auto units = static_cast<Bits>(static_cast<Bits>(number) ^ sign);
    const int width = width_of(units);
    const int own = exponent - (kBits - 1 - width);
    Bits magnitude = 0;
    if (width > 0 && own >= 0) {
      const auto fraction = static_cast<Bits>((units << (kBits - width)) ^ kTopBit<Bits>);
      magnitude = static_cast<Bits>(static_cast<Bits>(own) << kFractionBits<Bits> |
                                    fraction >> (kBits - 1 - kFractionBits<Bits>));
    }
    return static_cast<Bits>(magnitude ^ sign ^ kTopBit<Bits>);
  }

  ValueScale<Bits> scale_;
  Bits last_ = 0;  // bucket
};

/// Calls use(key) for 128 keys of the part, from anywhere within equal pieces of it; for all of a
/// smaller one.
template <class Records, class Use>
void for_some_keys(const Records& records, const Part& part, const Use& use) {
  constexpr std::size_t kKeys = 128;
  const std::size_t keys = std::min(part.size(), kKeys);
  for (std::uint32_t i = 0; i < keys; ++i) {
    use(records.key(part.begin + anywhere_in_piece(i, part.size() / keys)));
  }
}

/// For the part, as some of its keys tell.
template <class Records>
ValueDigit<typename Records::Bits> sampled_values(const Records& records, const Part& part,
                                                  int bits) {
  auto lowest = records.key(part.begin);
  auto highest = lowest;
  for_some_keys(records, part, [&](auto key) {
    lowest = std::min(lowest, key);
    highest = std::max(highest, key);
  });
  return {lowest, highest, bits};
}

/// Whether buckets seem to get as many keys each: of two to eight none gets 13/8 times its part of
/// some keys. The fullest one has 1.3 times as many of uniform keys, and of normal ones, or of
/// those on one side of their mean, 2 to 3 times.
template <class Records>
bool seem_even_by_value(const Records& records, const Part& part) {
  constexpr int kBits = 3;
  const auto digit = sampled_values(records, part, kBits);
  std::array<std::size_t, 1 << kBits> counts{};
  std::size_t all = 0;
  for_some_keys(records, part, [&](auto key) {
    ++counts[digit.of(key)];
    ++all;
  });
  return digit.values() > 1 && 8 * *std::ranges::max_element(counts) * digit.values() <= 13 * all;
}

}  // namespace postroom::sorting
