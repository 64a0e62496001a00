#include "runtime/rational.h"

#include <charconv>
#include <ostream>
#include <stdexcept>

namespace postroom {
namespace {

[[noreturn]] void throw_refused(std::string_view text, std::string_view reason) {
  throw std::invalid_argument(std::string("'").append(text).append("' ").append(reason));
}
[[noreturn]] void throw_no_number(std::string_view text) {
  throw_refused(text, "is not a number; write it like 2, 1.8 or 9/5");
}
[[noreturn]] void throw_too_long(std::string_view text) {
  throw_refused(text, "has too many digits; at most 18");
}

// All of `digits`, which are part of `text`, as a whole number. At least one digit, no sign.
std::int64_t parse_digits(std::string_view digits, std::string_view text) {
  std::int64_t value = 0;
  const char* const end = digits.data() + digits.size();
  if (digits.empty() || digits.front() < '0' || digits.front() > '9') throw_no_number(text);
  const auto [stop, error] = std::from_chars(digits.data(), end, value);
  if (error == std::errc::result_out_of_range) throw_too_long(text);
  if (stop != end) throw_no_number(text);
  return value;
}

std::int64_t power_of_ten(std::size_t exponent, std::string_view text) {
  constexpr std::size_t kMostDigits = 18;  // 10^18 < 2^63
  if (exponent > kMostDigits) throw_too_long(text);
  std::int64_t power = 1;
  while (exponent-- > 0) power *= 10;
  return power;
}

Rational parse_unsigned(std::string_view digits, std::string_view text) {
  if (const std::size_t slash = digits.find('/'); slash != std::string_view::npos) {
    return {parse_digits(digits.substr(0, slash), text),
            parse_digits(digits.substr(slash + 1), text)};
  }
  const std::size_t point = digits.find('.');
  if (point == std::string_view::npos) return parse_digits(digits, text);
  const std::string_view decimals = digits.substr(point + 1);
  const Rational part(parse_digits(decimals, text), power_of_ten(decimals.size(), text));
  return parse_digits(digits.substr(0, point), text) + part;
}

}  // namespace

Rational Rational::parse(std::string_view text) {
  const bool negative = text.starts_with('-');
  const bool has_sign = negative || text.starts_with('+');
  try {
    const Rational value = parse_unsigned(text.substr(has_sign ? 1 : 0), text);
    return negative ? -value : value;
  } catch (const std::overflow_error&) {
    throw_too_long(text);
  }
}

void Rational::throw_zero_denominator(std::int64_t numerator) {
  throw std::invalid_argument(std::to_string(numerator) +
                              "/0 is not a number; the denominator is at least 1");
}

void Rational::throw_division_by_zero() {
  throw std::domain_error("a fraction was divided by zero");
}

void Rational::throw_overflow() {
  throw std::overflow_error("a fraction needs more than 64 bits above or below the line");
}

std::string to_string(const Rational& value) {
  std::string text = std::to_string(value.numerator());
  if (!value.is_whole()) text.append("/").append(std::to_string(value.denominator()));
  return text;
}

std::ostream& operator<<(std::ostream& out, const Rational& value) {
  return out << to_string(value);
}

}  // namespace postroom
