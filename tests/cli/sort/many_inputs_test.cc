// More inputs than files may be open at once.
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

constexpr std::uint64_t kSeed = 31;
constexpr long kOpenFiles = 100;
constexpr std::size_t kInputs = 300;

std::string bytes_of(const std::vector<std::uint64_t>& keys) {
  return {reinterpret_cast<const char*>(keys.data()), keys.size() * sizeof(std::uint64_t)};
}

std::string lines_of(const std::vector<std::uint64_t>& keys) {
  std::string text;
  for (const std::uint64_t key : keys) text += std::to_string(key) + '\n';
  return text;
}

class ManyInputs : public ::testing::Test {
 protected:
  /// Files of `each` keys, every seventh empty, and what they hold together, sorted. Written by
  /// `written`.
  template <class Written>
  std::string make(std::size_t each, bool sorted, const Written& written) {
    SCOPED_TRACE(kSeed);
    std::mt19937_64 random(kSeed);
    std::vector<std::uint64_t> all;
    for (std::size_t i = 0; i < kInputs; ++i) {
      std::vector<std::uint64_t> keys(i % 7 == 0 ? 0 : each);
      for (std::uint64_t& key : keys) key = random();
      all.insert(all.end(), keys.begin(), keys.end());
      if (sorted) std::ranges::sort(keys);
      files_.push_back(folder_("in" + std::to_string(i)));
      write_file(files_.back(), written(keys));
    }
    std::ranges::sort(all);
    return written(all);
  }

  /// `postroom sort` of all files with these words first, where few files may be open.
  Ran sort(Words words, const Words& files) const {
    words.insert(words.begin(), "sort");
    words.insert(words.end(), files.begin(), files.end());
    Surroundings few;
    few.open_files_limit = kOpenFiles;
    return run(words, few);
  }

  void expect_sorts(Words words, const std::string& expected) const {
    const std::string out = folder_("out");
    words.insert(words.end(), {"-q", "--verify", "-p", "2", "-T", folder_(), "-o", out});
    const Ran ran = sort(words, files_);
    EXPECT_EQ(ran.exit_code, 0) << ran;
    EXPECT_TRUE(content_of(out) == expected) << words[0];
  }

  ScratchFolder folder_;
  Words files_;
};

TEST_F(ManyInputs, TheLimitIsOne) {
  const Ran ran = sort({"--type", "u8"}, Words(kInputs, "/dev/null"));
  EXPECT_EQ(ran.exit_code, 2) << ran;
  EXPECT_EQ(ran.err, "postroom sort: /dev/null: Too many open files\n");
}

TEST_F(ManyInputs, InMemoryAndFromFileToFile) {
  const std::string expected = make(2'500, false, bytes_of);
  expect_sorts({"--type", "u64"}, expected);
  expect_sorts({"--type", "u64", "--algorithm", "radix_direct"}, expected);
}

TEST_F(ManyInputs, InRuns) {
  const std::string expected = make(10'000, false, bytes_of);
  expect_sorts({"--type", "u64", "-S", "32M"}, expected);
}

TEST_F(ManyInputs, Text) {
  const std::string expected = make(1'000, false, lines_of);
  expect_sorts({"--type", "text"}, expected);
  write_file(files_[1], " " + content_of(files_[1]));  // not the usual spelling
  EXPECT_EQ(sort({"--type", "text", "-q", "-o", folder_("out")}, files_).exit_code, 0);
  EXPECT_EQ(content_of(folder_("out")).size(), expected.size() + 1);
}

TEST_F(ManyInputs, Merging) {
  const std::string expected = make(1'000, true, bytes_of);
  expect_sorts({"-m", "--type", "u64"}, expected);
  // In several passes.
  expect_sorts({"-m", "--type", "u64", "-S", "32M"}, expected);
}

TEST_F(ManyInputs, MergingText) {
  expect_sorts({"-m", "--type", "text"}, make(300, true, lines_of));
}

TEST_F(ManyInputs, OneOfThemIsTheOutput) {
  const std::string expected = make(1'000, true, bytes_of);
  const Ran ran = sort({"-m", "-q", "--type", "u64", "-o", files_[150]}, files_);
  EXPECT_EQ(ran.exit_code, 0) << ran;
  EXPECT_TRUE(content_of(files_[150]) == expected);
}

TEST_F(ManyInputs, Planned) {
  make(100, true, bytes_of);
  const Ran plan = sort({"--plan", "--type", "u64"}, files_);
  EXPECT_EQ(plan.exit_code, 0) << plan;
  EXPECT_TRUE(plan.out.starts_with("300 files: ")) << plan.out;
}

}  // namespace
}  // namespace postroom::cli
