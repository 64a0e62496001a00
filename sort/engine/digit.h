// Digits: which bits of the keys a pass looks at.
//
// A digit is a run of bits. Only bits that vary among the keys at hand are worth looking at, so
// digits are laid over those, from the highest down; runs of constant bits between them cost
// nothing.
//
//   const Digit digit = highest_digit(0b1111'0000'1100, 3);   // bits 9 … 11
//   digit.of(key);                                            // 0 … 7
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "numa/rounding.h"

namespace postroom::sorting {

struct Digit {
  int shift = 0;
  int bits = 0;

  /// Precondition: bits < 64, as for of().
  std::size_t values() const noexcept { return std::size_t{1} << bits; }
  template <class Bits>
  std::size_t of(Bits key) const noexcept {
    return static_cast<std::size_t>(key >> shift) & (values() - 1);
  }
};

/// How many bits it takes to write `value`.
constexpr int width_of(std::uint64_t value) { return static_cast<int>(std::bit_width(value)); }

/// The bits of `varying` below the digit.
constexpr std::uint64_t below(std::uint64_t varying, Digit digit) {
  return varying & low_bits(digit.shift);
}

/// The digit of at most `bits` whose top is the highest varying bit. Precondition: varying != 0.
constexpr Digit highest_digit(std::uint64_t varying, int bits) {
  const int top = width_of(varying);
  const int width = std::min(bits, top);
  return {top - width, width};
}

/// The digit that holds all varying bits. Precondition: varying != 0.
constexpr Digit whole_digit(std::uint64_t varying) {
  const int lowest = std::countr_zero(varying);
  return {lowest, width_of(varying) - lowest};
}

/// The digits of one radix sort, from the lowest up.
struct DigitPlan {
  static constexpr int kMostDigits = 64;

  std::array<Digit, kMostDigits> digits;
  int count = 0;
  /// The varying bits below all of them: by these the records are not sorted afterwards.
  std::uint64_t left = 0;
};

/// Digits of at most `width` bits that hold at least `wanted` of the varying bits, highest first,
/// or all of them where no more digits are needed for that. Preconditions: width >= 1, wanted >= 1.
constexpr DigitPlan plan_digits(std::uint64_t varying, int wanted, int width) {
  const int all = std::popcount(varying);
  wanted = std::min(wanted, all);
  const int passes = ceil_divide(wanted, width);
  if (all <= passes * width) wanted = all;
  const int even_width = passes == 0 ? width : ceil_divide(wanted, passes);
  DigitPlan plan;
  plan.left = varying;
  while (wanted > 0) {
    const Digit digit = highest_digit(plan.left, even_width);
    wanted -= std::popcount(plan.left & ~low_bits(digit.shift));
    plan.left = below(plan.left, digit);
    plan.digits[static_cast<std::size_t>(plan.count++)] = digit;
  }
  std::reverse(plan.digits.begin(), plan.digits.begin() + plan.count);
  return plan;
}

/// Which bucket a key belongs to: of those of equal width that two keys lie in, or else the first
/// or the last.
template <class Bits>
struct ClampedDigit {
  Bits least = 0;
  int shift = 0;
  Bits last = 0;  // bucket

  ClampedDigit() = default;
  /// Up to 2^bits buckets between the two keys. Keys of one bucket differ in the lowest `shift`
  /// bits alone.
  ClampedDigit(Bits lowest, Bits highest, int bits)
      : shift(std::max(width_of(static_cast<Bits>(highest - lowest)) - bits, 0)) {
    if (static_cast<Bits>((highest >> shift) - (lowest >> shift)) >> bits != 0) ++shift;
    least = static_cast<Bits>(lowest >> shift << shift);
    last = static_cast<Bits>((highest >> shift) - (lowest >> shift));
  }

  std::size_t values() const noexcept { return static_cast<std::size_t>(last) + 1; }
  std::size_t of(Bits key) const noexcept {
    const auto above = static_cast<Bits>(std::max(key, least) - least);
    return static_cast<std::size_t>(std::min(static_cast<Bits>(above >> shift), last));
  }
};

}  // namespace postroom::sorting
