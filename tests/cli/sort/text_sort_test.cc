// Text files against `LC_ALL=C sort -n`, byte for byte.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "tests/cli/command.h"
#include "tests/cli/scratch_folder.h"

namespace postroom::cli {
namespace {

constexpr std::uint64_t kSeed = 7;

class TextSort : public ::testing::Test {
 protected:
  /// Sorts `text` with both and compares. `flags` are understood by both.
  void expect_same(const std::string& text, const std::string& what,
                   const std::string& flags = "") {
    write_file(folder_("in.txt"), text);
    Words words = {"sort", folder_("in.txt"), "-o", folder_("ours"), "--verify"};
    if (!flags.empty()) words.push_back(flags);
    const Ran ours = run(words);
    ASSERT_EQ(ours.exit_code, 0) << what << "\n" << ours;
    const Ran theirs =
        shell("LC_ALL=C sort -n " + flags + " < " + folder_("in.txt") + " > " + folder_("theirs"));
    ASSERT_EQ(theirs.exit_code, 0) << theirs;
    EXPECT_TRUE(content_of(folder_("ours")) == content_of(folder_("theirs")))
        << what << " " << flags << ", seed " << kSeed
        << (text.size() < 1000 ? "\n" + text + "\ngives\n" + content_of(folder_("ours")) : "");
  }

  ScratchFolder folder_;
};

TEST_F(TextSort, SmallTexts) {
  for (const char* text :
       {"3\n1\n2\n", "1", "2\n1", "-1\n-10\n5\n-0\n", "\n1\n-1\n", "5\n\n\n-5\n", "007\n8\n-03\n",
        " 7\n\t3\n   -1\n", "9223372036854775807\n-9223372036854775808\n0\n",
        "18446744073709551615\n9223372036854775808\n0\n", "7 \n3\t\n5\n"}) {
    expect_same(text, "a small text");
  }
}

TEST_F(TextSort, NumbersOfEveryLengthAndSign) {
  std::mt19937_64 random(kSeed);
  std::string text;
  for (int line = 0; line < 200'000; ++line) {
    text += std::to_string(static_cast<std::int64_t>(random()) >> (random() % 64)) + '\n';
  }
  expect_same(text, "numbers of every length");
  expect_same(text, "numbers of every length", "-r");
}

TEST_F(TextSort, ManyDuplicates) {
  std::mt19937_64 random(kSeed + 1);
  std::string text;
  for (int line = 0; line < 100'000; ++line) {
    text += std::to_string(static_cast<int>(random() % 50) - 25) + '\n';
  }
  text.pop_back();
  expect_same(text, "duplicates, no end at the end");
}

TEST_F(TextSort, UnsignedNumbers) {
  std::mt19937_64 random(kSeed + 2);
  std::string text;
  for (int line = 0; line < 50'000; ++line) text += std::to_string(random()) + '\n';
  expect_same(text, "unsigned numbers");
}

TEST_F(TextSort, OtherSpellingsKeepTheirLines) {
  // Each value once, so that the order of `sort -n` among equal values does not matter.
  std::mt19937_64 random(kSeed + 3);
  std::vector<int> values(30'000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<int>(i) - 15'000;
  std::ranges::shuffle(values, random);
  std::string text;
  for (const int value : values) {
    const int shape = static_cast<int>(random() % 4);
    text += shape == 0 ? "  " : "";
    text += value < 0 ? "-" : "";
    text += shape == 1 ? "00" : "";
    text += std::to_string(std::abs(value));
    text += shape == 2 ? " \t" : shape == 3 ? "\r" : "";
    text += '\n';
  }
  expect_same(text, "other spellings");
  expect_same(text, "other spellings", "-r");
}

TEST_F(TextSort, EqualValuesInOtherSpellingsKeepTheirOrder) {
  write_file(folder_("in.txt"), "+7\n3\n07\n7\n 3\n\n-0\n");
  const Ran ran = run({"sort", folder_("in.txt"), "-o", folder_("out"), "--verify"});
  ASSERT_EQ(ran.exit_code, 0) << ran;
  EXPECT_EQ(content_of(folder_("out")), "\n-0\n3\n 3\n+7\n07\n7\n");
  const Ran down = run({"sort", "-r", folder_("in.txt"), "-o", folder_("out"), "--verify"});
  ASSERT_EQ(down.exit_code, 0) << down;
  EXPECT_EQ(content_of(folder_("out")), "+7\n07\n7\n3\n 3\n\n-0\n");
}

TEST_F(TextSort, ThroughPipes) {
  std::mt19937_64 random(kSeed + 4);
  std::string text;
  for (int line = 0; line < 100'000; ++line) text += std::to_string(random() % 100'000) + '\n';
  write_file(folder_("in"), text);
  const Ran ran = shell("cat " + folder_("in") + " | " + postroom() +
                        " sort --type text --verify | cat > " + folder_("ours") +
                        " && LC_ALL=C sort -n " + folder_("in") + " | cmp - " + folder_("ours"));
  EXPECT_EQ(ran.exit_code, 0) << ran;
}

}  // namespace
}  // namespace postroom::cli
