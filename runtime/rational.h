// An exact fraction, for the times of the postal model.
//
// Two 64-bit integers in lowest terms, the denominator positive. What a calculation gives is exact
// or a std::overflow_error; nothing is ever rounded. A whole number converts by itself, a
// floating-point number does not: 1.8 is not 9/5.
//
// Cost: an addition or a product takes one greatest common divisor, none while both are whole; a
// comparison takes two multiplications. No allocation but in parse errors and to_string.
// Errors: a denominator of 0 and a text that is no number are std::invalid_argument, division by
// zero is std::domain_error.
//
//   const Rational lambda = Rational::parse("9/5");   // or "1.8"
//   to_string(3 * lambda + 1);                        // "32/5"
#pragma once

#include <compare>
#include <concepts>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>

#include "numa/language.h"

namespace postroom {

class Rational {
 public:
  constexpr Rational() = default;
  constexpr Rational(std::integral auto whole) : numerator_(checked(whole)) {}  // NOLINT: implicit
  Rational(std::floating_point auto) = delete;
  /// In lowest terms, whatever is given.
  constexpr Rational(std::int64_t numerator, std::int64_t denominator) {
    if (denominator == 0) throw_zero_denominator(numerator);
    *this = reduced(numerator, denominator);
  }

  /// "9/5", "1.8" or "2", with a sign if need be.
  static Rational parse(std::string_view text);

  constexpr std::int64_t numerator() const noexcept { return numerator_; }
  /// At least 1.
  constexpr std::int64_t denominator() const noexcept { return denominator_; }
  constexpr bool is_whole() const noexcept { return denominator_ == 1; }

  /// The largest whole number that is not above, the smallest that is not below.
  constexpr std::int64_t floor() const noexcept {
    const std::int64_t quotient = numerator_ / denominator_;
    return quotient - (numerator_ % denominator_ < 0 ? 1 : 0);
  }
  constexpr std::int64_t ceil() const noexcept {
    const std::int64_t quotient = numerator_ / denominator_;
    return quotient + (numerator_ % denominator_ > 0 ? 1 : 0);
  }
  /// The nearest floating-point number, for pictures and measurements.
  constexpr double to_double() const noexcept {
    return static_cast<double>(numerator_) / static_cast<double>(denominator_);
  }

  friend constexpr bool operator==(const Rational&, const Rational&) = default;
  friend constexpr std::strong_ordering operator<=>(const Rational& a, const Rational& b) noexcept {
    return Wide{a.numerator_} * b.denominator_ <=> Wide{b.numerator_} * a.denominator_;
  }

  constexpr Rational operator-() const { return reduced(-Wide{numerator_}, denominator_); }
  friend constexpr Rational operator+(const Rational& a, const Rational& b) {
    return reduced(Wide{a.numerator_} * b.denominator_ + Wide{b.numerator_} * a.denominator_,
                   Wide{a.denominator_} * b.denominator_);
  }
  friend constexpr Rational operator-(const Rational& a, const Rational& b) {
    return reduced(Wide{a.numerator_} * b.denominator_ - Wide{b.numerator_} * a.denominator_,
                   Wide{a.denominator_} * b.denominator_);
  }
  friend constexpr Rational operator*(const Rational& a, const Rational& b) {
    return reduced(Wide{a.numerator_} * b.numerator_, Wide{a.denominator_} * b.denominator_);
  }
  friend constexpr Rational operator/(const Rational& a, const Rational& b) {
    if (b.numerator_ == 0) throw_division_by_zero();
    return reduced(Wide{a.numerator_} * b.denominator_, Wide{a.denominator_} * b.numerator_);
  }
  constexpr Rational& operator+=(const Rational& other) { return *this = *this + other; }
  constexpr Rational& operator-=(const Rational& other) { return *this = *this - other; }
  constexpr Rational& operator*=(const Rational& other) { return *this = *this * other; }
  constexpr Rational& operator/=(const Rational& other) { return *this = *this / other; }

 private:
  // Two products of 64-bit numbers and their sum fit in.
  __extension__ using Wide = __int128;

  [[noreturn]] static void throw_zero_denominator(std::int64_t numerator);
  [[noreturn]] static void throw_division_by_zero();
  [[noreturn]] static void throw_overflow();

  static constexpr std::int64_t checked(Wide value) {
    if (value < INT64_MIN || value > INT64_MAX) throw_overflow();
    return static_cast<std::int64_t>(value);
  }
  static constexpr Wide common_divisor(Wide a, Wide b) noexcept {
    while (b != 0) {
      const Wide rest = a % b;
      a = b;
      b = rest;
    }
    return a < 0 ? -a : a;
  }
  // Precondition: denominator is not 0.
  static constexpr Rational reduced(Wide numerator, Wide denominator) {
    Wide divisor = denominator == 1 ? 1 : common_divisor(numerator, denominator);
    if (denominator < 0) divisor = -divisor;
    Rational result;
    result.numerator_ = checked(numerator / divisor);
    result.denominator_ = checked(denominator / divisor);
    return result;
  }

  std::int64_t numerator_ = 0;
  std::int64_t denominator_ = 1;
};

/// "46/5", or "9" when it is whole; parse() reads it back.
std::string to_string(const Rational& value);
std::ostream& operator<<(std::ostream& out, const Rational& value);

}  // namespace postroom
