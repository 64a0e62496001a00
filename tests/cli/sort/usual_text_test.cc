// Text read in pieces, compared with text that is read whole.
#include "cli/sort/usual_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "cli/keys/text_numbers.h"
#include "tests/cli/scratch_folder.h"

namespace postroom::cli {
namespace {

constexpr std::uint64_t kEnough = std::uint64_t{1} << 30;
const KeyFormat kText = {.text = true};

class UsualText : public ::testing::Test {
 protected:
  std::optional<LoadedKeys> load(const std::vector<std::string>& texts,
                                 std::uint64_t memory_bytes = kEnough) {
    std::vector<std::string> paths;
    for (const std::string& text : texts) {
      paths.push_back(folder_("text" + std::to_string(paths.size())));
      write_file(paths.back(), text);
    }
    Progress progress(false);
    Stopwatch time;
    return load_usual_text(Inputs(paths, kText), memory_bytes, /*fingerprint=*/true, progress,
                           time);
  }

  /// That it is read as parse_numbers() reads it.
  void expect_usual(const std::string& text) {
    const std::optional<LoadedKeys> keys = load({text});
    ASSERT_TRUE(keys.has_value());
    const TextNumbers expected = parse_numbers(text);
    const auto words = keys->records.as<std::uint64_t>();
    const auto expected_words = expected.keys.as<std::uint64_t>();
    ASSERT_EQ(words.size(), expected_words.size());
    EXPECT_TRUE(std::ranges::equal(words, expected_words));
    EXPECT_EQ(keys->layout.key, FileKey(expected.is_unsigned ? KeyType::u64 : KeyType::i64));
    EXPECT_EQ(keys->layout.record_bytes, 8u);
    EXPECT_EQ(keys->spelling, LoadedKeys::Spelling::kPrinted);
    EXPECT_EQ(keys->fingerprint, fingerprint_of_lines(text, chunk_lines(text)));
  }

  ScratchFolder folder_;
};

/// Numbers of every length, some hundred thousand of them: several pieces.
std::string numbers_text(std::uint64_t seed, bool negative) {
  std::mt19937_64 random(seed);
  std::string text;
  while (text.size() < 1'500'000) {
    const std::uint64_t bits = random() >> (random() % 64);
    text += negative ? std::to_string(static_cast<std::int64_t>(bits)) : std::to_string(bits);
    text += '\n';
  }
  return text;
}

TEST_F(UsualText, IsReadAsInOnePiece) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const std::string text = numbers_text(seed, seed % 2 == 0);
    expect_usual(text);
    expect_usual(text.substr(0, text.size() - 1));
    // Ends of pieces at each place of a line.
    for (std::size_t shift = 1; shift < 25; ++shift) {
      expect_usual(std::string(shift / 2, '7') + (shift / 2 > 0 ? "\n" : "") +
                   std::string(shift % 2 == 0 ? "" : "5\n") + text);
    }
  }
  for (const char* text : {"5", "5\n", "0\n-1\n", "-9223372036854775808\n9223372036854775807\n",
                           "18446744073709551615\n0\n"}) {
    expect_usual(text);
  }
}

TEST_F(UsualText, OtherLinesAnywhereAreLeftToOthers) {
  const std::string text = numbers_text(4, false);
  for (const char* line :
       {"", " 5", "5 ", "5\r", "+5", "05", "-0", "x", "5.5", "18446744073709551616", "-1",
        "                              5", "1000000000000000000000000000000000000000000005"}) {
    for (const std::size_t about : {std::size_t{0}, text.size() / 3, text.size()}) {
      const std::size_t place = about == 0 ? 0 : text.rfind('\n', about - 1) + 1;
      std::string other = text;
      other.insert(place, std::string(line) + "\n");
      EXPECT_FALSE(load({other}).has_value()) << line << " at " << place;
    }
  }
  EXPECT_FALSE(load({""}).has_value());
  EXPECT_FALSE(load({"\n"}).has_value());
}

TEST_F(UsualText, ALongLineAcrossTheEndOfAPiece) {
  constexpr std::size_t kPiece = std::size_t{1} << 18;
  for (std::size_t before = kPiece - 45; before < kPiece + 3; ++before) {
    std::string text;
    while (text.size() + 9 < before) text += "12345678\n";
    text += std::string(before - text.size() - 1, '9') + '\n';
    EXPECT_FALSE(load({text + std::string(42, '1') + "\n5\n"}).has_value()) << before;
    EXPECT_FALSE(load({text + std::string(41, ' ') + "1\n5\n"}).has_value()) << before;
  }
}

TEST_F(UsualText, SeveralFiles) {
  const std::string text = numbers_text(5, false);
  const std::optional<LoadedKeys> keys = load({"7\n", text, "8"});
  ASSERT_TRUE(keys.has_value());
  const TextNumbers expected = parse_numbers("7\n" + text + "8");
  EXPECT_TRUE(
      std::ranges::equal(keys->records.as<std::uint64_t>(), expected.keys.as<std::uint64_t>()));
  EXPECT_FALSE(load({"7", "8\n"}).has_value());
  EXPECT_FALSE(load({"7", "", "8\n"}).has_value());
  EXPECT_EQ(load({"7\n", "", "8\n", ""})->count(), 2u);
}

TEST_F(UsualText, NotInTooLittleMemory) {
  const std::string text = numbers_text(6, true);
  const auto lines = static_cast<std::uint64_t>(std::ranges::count(text, '\n'));
  EXPECT_FALSE(load({text}, 8 * lines - 1).has_value());
  EXPECT_TRUE(load({text}, 9 * lines).has_value());
  EXPECT_FALSE(load({text}, 1).has_value());
}

}  // namespace
}  // namespace postroom::cli
