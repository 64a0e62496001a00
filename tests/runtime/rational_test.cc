#include "runtime/rational.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "tests/thrown.h"

namespace postroom {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();

static_assert(std::is_convertible_v<int, Rational>);
static_assert(!std::is_constructible_v<Rational, double>, "1.8 is not 9/5");
static_assert(Rational(6, 4) == Rational(3, 2) && Rational(9, 5).floor() == 1);

std::string refusal_of(const std::string& text) {
  return refusal([&] { (void)Rational::parse(text); });
}

TEST(Rational, IsKeptInLowestTermsWithThePositiveDenominator) {
  EXPECT_EQ(to_string(Rational(46, 5)), "46/5");
  EXPECT_EQ(to_string(Rational(10, 5)), "2");
  EXPECT_EQ(to_string(Rational(6, -4)), "-3/2");
  EXPECT_EQ(to_string(Rational(0, -7)), "0");
  EXPECT_EQ(to_string(Rational(kLeast, kLeast)), "1");
  EXPECT_EQ(to_string(Rational(kMost, kMost - 1)), "9223372036854775807/9223372036854775806");
  std::ostringstream out;
  out << Rational(9, 5);
  EXPECT_EQ(out.str(), "9/5");
}

TEST(Rational, ReadsFractionsDecimalsAndWholeNumbers) {
  EXPECT_EQ(Rational::parse("9/5"), Rational(9, 5));
  EXPECT_EQ(Rational::parse("1.8"), Rational(9, 5));
  EXPECT_EQ(Rational::parse("1.80"), Rational(9, 5));
  EXPECT_EQ(Rational::parse("2"), Rational(2));
  EXPECT_EQ(Rational::parse("+0.125"), Rational(1, 8));
  EXPECT_EQ(Rational::parse("-10/4"), Rational(-5, 2));
  EXPECT_EQ(Rational::parse("1.293"), Rational(1293, 1000));
  EXPECT_EQ(Rational::parse(to_string(Rational(-46, 5))), Rational(-46, 5));
}

TEST(Rational, SaysWhatItCannotRead) {
  for (const char* text : {"", "-", "x", "1.", ".5", "1/", "/2", "1/2/3", "1.5/2", "1,8", " 1",
                           "1 ", "--1", "1/-2", "1.-5", "1e3", "nan"}) {
    EXPECT_EQ(refusal_of(text), std::string("'").append(text).append(
                                    "' is not a number; write it like 2, 1.8 or 9/5"));
  }
  EXPECT_EQ(refusal_of("0/0"), "0/0 is not a number; the denominator is at least 1");
  EXPECT_EQ(refusal_of("99999999999999999999"),
            "'99999999999999999999' has too many digits; at most 18");
  EXPECT_EQ(refusal_of("1.0000000000000000001"),
            "'1.0000000000000000001' has too many digits; at most 18");
  EXPECT_EQ(refusal_of("999999999999999999.999999999999999999"),
            "'999999999999999999.999999999999999999' has too many digits; at most 18");
}

TEST(Rational, CalculatesExactly) {
  const Rational lambda(9, 5);
  EXPECT_EQ(lambda + 1, Rational(14, 5));
  EXPECT_EQ(1 - lambda, Rational(-4, 5));
  EXPECT_EQ(lambda * lambda, Rational(81, 25));
  EXPECT_EQ(lambda / lambda.floor(), lambda);
  EXPECT_EQ(Rational(5, 2) / Rational(-5, 4), -2);
  EXPECT_EQ(-lambda, Rational(-9, 5));
  Rational sum;
  for (int i = 1; i <= 20; ++i) sum += Rational(1, i);
  EXPECT_EQ(sum, Rational(55835135, 15519504));
  sum -= sum;
  EXPECT_EQ(sum, 0);
  EXPECT_DOUBLE_EQ(lambda.to_double(), 1.8);
}

TEST(Rational, RoundsTowardsEitherSide) {
  EXPECT_EQ(Rational(9, 5).floor(), 1);
  EXPECT_EQ(Rational(9, 5).ceil(), 2);
  EXPECT_EQ(Rational(-9, 5).floor(), -2);
  EXPECT_EQ(Rational(-9, 5).ceil(), -1);
  EXPECT_EQ(Rational(4).floor(), 4);
  EXPECT_EQ(Rational(4).ceil(), 4);
  EXPECT_EQ(Rational(kLeast).floor(), kLeast);
}

TEST(Rational, ComparesWithoutRounding) {
  EXPECT_LT(Rational(kMost - 1, kMost), Rational(1));
  EXPECT_LT(Rational(kMost - 2, kMost - 1), Rational(kMost - 1, kMost));
  EXPECT_GT(Rational(-1, 3), Rational(-1, 2));
  EXPECT_LE(Rational(1, 2), Rational(2, 4));
}

TEST(Rational, OverflowIsAnError) {
  EXPECT_THROW(Rational(kMost) + 1, std::overflow_error);
  EXPECT_THROW(-Rational(kLeast), std::overflow_error);
  EXPECT_THROW(Rational(kMost, 2) * Rational(kMost, 3), std::overflow_error);
  EXPECT_THROW(Rational(1, kLeast), std::overflow_error);
  EXPECT_THROW(Rational(std::numeric_limits<std::uint64_t>::max()), std::overflow_error);
  EXPECT_THROW(Rational(1) / 0, std::domain_error);
  EXPECT_THROW(Rational(1, 0), std::invalid_argument);
  // What comes out fits, so what lies between may not.
  EXPECT_EQ(Rational(kMost, 6) * Rational(6, kMost), 1);
  EXPECT_EQ(Rational(kMost, 2) - Rational(kMost, 2), 0);
}

}  // namespace
}  // namespace postroom
