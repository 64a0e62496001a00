// Printing and reading of whole numbers against the standard library's.
#include "cli/keys/decimal.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>
#include <random>
#include <string>

namespace postroom::cli {
namespace {

std::string printed(std::uint64_t number) {
  std::array<char, kDecimalRoom> room;
  room.fill('#');
  char* const end = print_decimal(room.data(), number);
  return std::string(room.data(), end);
}

void expect_round_trip(std::uint64_t number) {
  const std::string expected = std::to_string(number);
  ASSERT_EQ(printed(number), expected);
  ASSERT_EQ(decimal_digits(number), static_cast<int>(expected.size())) << number;
  const Digits digits = read_digits((expected + std::string(kDigitsRoom, '\n')).data());
  ASSERT_EQ(digits.value, number);
  ASSERT_EQ(digits.count, static_cast<int>(expected.size()));
}

TEST(Decimal, AroundThePowersOfTen) {
  std::uint64_t power = 1;
  for (int digits = 0; digits < 20; ++digits, power *= 10) {
    for (const std::uint64_t number : {power - 1, power, power + 1, power * 9}) {
      expect_round_trip(number);
    }
  }
  expect_round_trip(std::numeric_limits<std::uint64_t>::max());
}

TEST(Decimal, EveryNumberOfUpToFiveDigits) {
  for (std::uint64_t number = 0; number < 100'000; ++number) expect_round_trip(number);
}

TEST(Decimal, RandomNumbersOfEveryLength) {
  std::mt19937_64 random(1);
  for (int bits = 1; bits <= 64; ++bits) {
    for (int i = 0; i < 2000; ++i) expect_round_trip(random() >> (64 - bits));
  }
}

TEST(Decimal, PrintingStaysInItsRoom) {
  std::array<char, kDecimalRoom + 8> room;
  room.fill('#');
  print_decimal(room.data(), std::numeric_limits<std::uint64_t>::max());
  for (std::size_t i = kDecimalRoom; i < room.size(); ++i) EXPECT_EQ(room[i], '#') << i;
}

TEST(Decimal, ReadingEndsAtEveryOtherCharacter) {
  for (int code = 0; code < 256; ++code) {
    const char character = static_cast<char>(code);
    const bool digit = character >= '0' && character <= '9';
    for (int place = 0; place < 20; ++place) {
      std::string text(20, '7');
      text[place] = character;
      text += std::string(kDigitsRoom, '\n');
      EXPECT_EQ(read_digits(text.data()).count, digit ? 20 : place)
          << "character " << code << " at " << place;
    }
  }
}

}  // namespace
}  // namespace postroom::cli
