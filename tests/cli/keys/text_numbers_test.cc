// Text to numbers and back: what is a number, what is refused, and in which words.
#include "cli/keys/text_numbers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "cli/common/failure.h"
#include "tests/thrown.h"

namespace postroom::cli {
namespace {

using ::testing::PrintToString;

std::vector<std::int64_t> keys_of(const TextNumbers& numbers) {
  const auto keys = numbers.keys.as<std::int64_t>();
  return {keys.begin(), keys.end()};
}

std::vector<std::int64_t> parsed(const std::string& text) { return keys_of(parse_numbers(text)); }

std::string refusal(const std::string& text) {
  return thrown<UsageError>([&] { parse_numbers(text); });
}

std::string printed(const TextNumbers& numbers) {
  const auto keys = numbers.keys.as<std::uint64_t>();
  std::vector<char> room(printed_room(keys.size()));
  const std::size_t length = print_numbers(keys, numbers.is_unsigned, room);
  EXPECT_EQ(length, printed_characters(keys, numbers.is_unsigned));
  return std::string(room.data(), length);
}

TEST(TextNumbers, OneALine) {
  EXPECT_EQ(parsed("7\n-3\n0\n"), (std::vector<std::int64_t>{7, -3, 0}));
  EXPECT_EQ(parsed("7\n-3"), (std::vector<std::int64_t>{7, -3}));
  EXPECT_TRUE(parsed("").empty());
}

TEST(TextNumbers, BlanksSignsAndLeadingZerosAreSpellings) {
  const struct {
    const char* text;
    std::int64_t number;
  } kSpellings[] = {{"+5\n", 5},
                    {" 5\n", 5},
                    {"\t 5\n", 5},
                    {"5 \t\n", 5},
                    {"5\r\n", 5},
                    {"007\n", 7},
                    {"-0\n", 0},
                    {"-007\n", -7},
                    {"00\n", 0},
                    {"\n", 0},
                    {" \t \n", 0},
                    {"\r\n", 0},
                    {"5 \r\n", 5},
                    {"+0\n", 0},
                    {" -12 \r", -12},
                    {"-5\t", -5},
                    {"00000000000000000000000000000001\n", 1}};
  // Alone, and before so much text that the fast reading sees it.
  for (const std::string& after :
       {std::string(), std::string("1\n1\n1\n1\n1\n1\n1\n1\n1\n1\n1\n"
                                   "1\n1\n1\n1\n1\n1\n1\n1\n1\n1\n1\n")}) {
    for (const auto& [text, number] : kSpellings) {
      std::string whole = text;
      if (!after.empty() && !whole.ends_with('\n')) whole += '\n';
      whole += after;
      const TextNumbers numbers = parse_numbers(whole);
      EXPECT_EQ(keys_of(numbers).at(0), number) << PrintToString(whole);
      EXPECT_FALSE(numbers.canonical) << PrintToString(whole);
    }
  }
}

TEST(TextNumbers, TheUsualSpellingIsCanonical) {
  for (const char* text :
       {"5\n", "5", "0\n", "-5\n", "-9223372036854775808\n", "18446744073709551615\n",
        "-9223372036854775808\n-9223372036854775807\n1000000000000000000\n0\n0\n",
        "1\n22\n333\n4444\n55555\n666666\n7777777\n"}) {
    const TextNumbers numbers = parse_numbers(text);
    EXPECT_TRUE(numbers.canonical) << text;
    const std::string line = text;
    EXPECT_EQ(printed(numbers), line.ends_with('\n') ? line : line + '\n');
  }
}

TEST(TextNumbers, SignedUnlessANumberNeedsMore) {
  EXPECT_FALSE(parse_numbers("9223372036854775807\n-1\n").is_unsigned);
  EXPECT_TRUE(parse_numbers("9223372036854775808\n1\n").is_unsigned);
  EXPECT_EQ(refusal("5\n-1\n9223372036854775808\n"),
            "line 3: '9223372036854775808' is above 9223372036854775807, which is not allowed "
            "beside a negative number (line 2)");
}

TEST(TextNumbers, WhatIsNoIntegerIsNamed) {
  for (const char* line : {"abc", "1.5", "1e5", "0x10", "1,000", "1 2", "--1", "+-1", "-", "+",
                           "1-", "- 1", "1\v", "\r1", "1\r\r", "∞", "12345678901234567890123x"}) {
    for (const char* before : {"", "1\n", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n"}) {
      const std::string text =
          std::string(before) + line + "\n1\n2\n3\n4\n5\n6\n7\n8\n9\n1\n1\n1\n";
      const auto lines_before =
          std::count(text.begin(), text.begin() + std::string(before).size(), '\n');
      EXPECT_EQ(refusal(text), "line " + std::to_string(lines_before + 1) + ": " + in_quotes(line) +
                                   " is not an integer");
    }
  }
  EXPECT_EQ(refusal(std::string("1\n2\0\n", 5)), "line 2: '2\\x00' is not an integer");
}

TEST(TextNumbers, WhatIsTooLargeIsNamed) {
  const std::string range = " is outside -9223372036854775808 … 18446744073709551615";
  for (const char* line : {"18446744073709551616", "-9223372036854775809", "99999999999999999999",
                           "100000000000000000000", "-18446744073709551615",
                           "340282366920938463463374607431768211456"}) {
    // At the end, and where many characters follow.
    for (const char* after : {"\n", "\n123456789012345678\n123456789012345678\n"}) {
      EXPECT_EQ(refusal(std::string("1\n") + line + after),
                "line 2: '" + std::string(line) + "'" + range);
    }
  }
}

TEST(TextNumbers, TheFirstOfSeveralBadLinesIsNamedWhateverTheChunks) {
  std::string text;
  for (int line = 1; line <= 500; ++line) text += line % 100 == 77 ? "bad\n" : "12345\n";
  for (const std::size_t chunk_bytes : {1, 7, 64, 1000, 100000}) {
    EXPECT_EQ(thrown<UsageError>([&] { parse_numbers(text, chunk_lines(text, chunk_bytes)); }),
              "line 77: 'bad' is not an integer")
        << chunk_bytes;
  }
}

TEST(TextNumbers, RandomNumbersComeBack) {
  const std::uint64_t seed = 3;
  std::mt19937_64 random(seed);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::int64_t> numbers(random() % 300);
    std::string text;
    for (std::int64_t& number : numbers) {
      number = static_cast<std::int64_t>(random()) >> (random() % 64);
      text += std::to_string(number) + '\n';
    }
    const TextNumbers read = parse_numbers(text, chunk_lines(text, 1 + random() % 200));
    ASSERT_EQ(keys_of(read), numbers) << "seed " << seed << ", round " << round;
    ASSERT_EQ(printed(read), text) << "seed " << seed << ", round " << round;
    ASSERT_TRUE(read.canonical);
  }
}

TEST(TextNumbers, NumberedLinesKnowTheirPlaces) {
  const std::string text = "7\n 08\n\n-3";
  const LineChunks lines = chunk_lines(text, 3);
  parse_numbers(text, lines);
  const Buffer numbered = parse_numbered_lines(text, lines);
  const std::vector<std::pair<std::int64_t, std::uint64_t>> expected = {
      {7, 0}, {8, 2}, {0, 6}, {-3, 7}};
  ASSERT_EQ(numbered.as<NumberedLine>().size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(static_cast<std::int64_t>(numbered.as<NumberedLine>()[i].number), expected[i].first);
    EXPECT_EQ(numbered.as<NumberedLine>()[i].place, expected[i].second);
  }
}

TEST(TextNumbers, PrintedCharactersOfLinesCountTheMissingEnd) {
  EXPECT_EQ(printed_characters(""), 0u);
  EXPECT_EQ(printed_characters("1"), 2u);
  EXPECT_EQ(printed_characters("1\n"), 2u);
}

}  // namespace
}  // namespace postroom::cli
