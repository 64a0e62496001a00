// How much memory `postroom sort -S` takes at most, as the system tells it. This test holds no data
// itself: what a process had before it became the command would count too.
#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <iomanip>
#include <string>

#include "tests/cli/command.h"
#include "tests/cli/scratch_folder.h"

namespace postroom::cli {
namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;

class MemoryUse : public ::testing::Test {
 protected:
  /// Runs `postroom` and expects that it does its work.
  Ran ran(const Words& words) const {
    Ran result = run(words);
    EXPECT_EQ(result.exit_code, 0) << result;
    return result;
  }

  /// Sorts `name` within so many MiB and checks the result.
  void expect_sorts_within(std::uint64_t mebibytes, int processors, const Words& inputs) const {
    Words words = {
        "sort",         "-S", std::to_string(mebibytes) + "M", "-T",      folder_("spill"), "-o",
        folder_("out"), "-p", std::to_string(processors),      "--verify"};
    words.insert(words.end(), inputs.begin(), inputs.end());
    const Ran sorted = ran(words);
    EXPECT_LE(sorted.peak_bytes, mebibytes * kMiB) << sorted;
    EXPECT_NE(sorted.err.find("verified: in order, same keys"), std::string::npos) << sorted;
  }

  void SetUp() override {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "a sanitizer's memory comes on top";
#endif
    std::filesystem::create_directory(folder_("spill"));
  }

  ScratchFolder folder_;
};

TEST_F(MemoryUse, FourTimesTheMemory) {
  ran({"generate", "16777216", "-o", folder_("in.u64")});  // 128 MiB
  expect_sorts_within(32, 2, {folder_("in.u64")});
  const Ran first = ran({"sort", folder_("in.u64"), "-o", folder_("expected"), "-q"});
  EXPECT_GT(first.peak_bytes, 128 * kMiB) << "the measure does not measure";
  EXPECT_EQ(shell("cmp " + folder_("out") + " " + folder_("expected")).exit_code, 0);
  expect_sorts_within(29, 1, {folder_("in.u64")});
  EXPECT_EQ(shell("cmp " + folder_("out") + " " + folder_("expected")).exit_code, 0);
}

// Those that are long come one after the other, in few pieces of what is written.
TEST_F(MemoryUse, LinesOfUnequalLength) {
  constexpr int kShort = 400'000;
  constexpr int kLong = 2'000;
  {
    std::ofstream file(folder_("in.txt"));
    for (int line = 0; line < kShort; ++line) file << "7\n";
    const std::string zeros(20'000, '0');
    for (int line = 0; line < kLong; ++line) file << zeros << "9\n";
  }
  expect_sorts_within(100, 2, {folder_("in.txt")});
}

TEST_F(MemoryUse, RecordsAndText) {
  ran({"generate", "5000000", "-o", folder_("in.u64")});
  expect_sorts_within(32, 2, {folder_("in.u64"), "--record-bytes", "100", "--key-offset", "33"});
  ran({"generate", "3000000", "-o", folder_("in.txt")});
  expect_sorts_within(32, 2, {folder_("in.txt")});
  expect_sorts_within(29, 1, {folder_("in.txt"), "-r"});
}

TEST_F(MemoryUse, KeysOfBytes) {
  ran({"generate", "5000000", "-o", folder_("in.u64")});
  expect_sorts_within(32, 2, {folder_("in.u64"), "--type", "bytes10", "--record-bytes", "100"});
  expect_sorts_within(29, 1, {folder_("in.u64"), "--type", "bytes8"});
  expect_sorts_within(32, 2, {folder_("in.u64"), "--type", "bytes2"});
}

TEST_F(MemoryUse, WhatFits) {
  ran({"generate", "1000000", "-o", folder_("in.u64")});
  expect_sorts_within(32, 2, {folder_("in.u64")});
}

// Twice 43 MiB would not.
TEST_F(MemoryUse, WhatFitsInPlace) {
  for (const std::string distribution : {"uniform", "zipf", "S", "sawtooth"}) {
    ran({"generate", "5600000", "--distribution", distribution, "-o", folder_("in.u64")});
    ran({"sort", folder_("in.u64"), "-o", folder_("expected"), "-q"});
    const Ran sorted =
        shell("cat " + folder_("in.u64") + " | " + postroom() + " sort -S 64M -p 2 --type u64" +
              " --verify --json " + folder_("report") + " -o " + folder_("out"));
    EXPECT_LE(sorted.peak_bytes, 64 * kMiB) << sorted;
    EXPECT_NE(content_of(folder_("report")).find("\"runs\": null"), std::string::npos) << sorted;
    EXPECT_EQ(shell("cmp " + folder_("out") + " " + folder_("expected")).exit_code, 0);
  }
}

// What does not, from a pipe: all of it that fits has been read when that is seen.
TEST_F(MemoryUse, MoreThanFitsInPlaceFromAPipe) {
  ran({"generate", "16777216", "-o", folder_("in.u64")});  // 128 MiB
  for (const std::string type : {"u64", "u16", "bytes8"}) {
    ran({"sort", folder_("in.u64"), "--type", type, "-o", folder_("expected"), "-q"});
    for (const std::string processors : {"1", "2"}) {
      const Ran sorted =
          shell("cat " + folder_("in.u64") + " | " + postroom() + " sort -S 64M -p " + processors +
                " --type " + type + " --verify --json " + folder_("report") + " -T " +
                folder_("spill") + " -o " + folder_("out"));
      EXPECT_EQ(sorted.exit_code, 0) << sorted;
      EXPECT_LE(sorted.peak_bytes, 64 * kMiB) << type << sorted;
      EXPECT_NE(content_of(folder_("report")).find("\"spilled_bytes\": "), std::string::npos);
      EXPECT_EQ(shell("cmp " + folder_("out") + " " + folder_("expected")).exit_code, 0);
    }
  }
}

TEST_F(MemoryUse, FromFileToFile) {
  ran({"generate", "5000000", "-o", folder_("in.u64")});
  for (const int processors : {1, 2}) {  // 38 MiB, and 16 of the program's own
    expect_sorts_within(64, processors, {folder_("in.u64"), "--json", folder_("report")});
    EXPECT_NE(content_of(folder_("report")).find("\"in_pieces\": true"), std::string::npos);
  }
}

// As `ulimit -v`, with which memory that was never touched counts too.
TEST_F(MemoryUse, WithinLimitedAddresses) {
  ran({"generate", "10000000", "-o", folder_("in.u64")});  // 76 MiB
  ran({"sort", folder_("in.u64"), "-o", folder_("expected"), "-q"});
  const std::string sort = "ulimit -v 120000; " + postroom() + " sort -q -p 2 -T " +
                           folder_("spill") + " -o " + folder_("out") + " ";
  const std::string in = folder_("in.u64");
  const Words lines = {sort + in, "cat " + in + " | (" + sort + "--type u64)",
                       sort + "-S 64M " + in};
  for (const std::string& line : lines) {
    const Ran sorted = shell(line);
    EXPECT_EQ(sorted.exit_code, 0) << line << "\n" << sorted;
    EXPECT_EQ(shell("cmp " + folder_("out") + " " + folder_("expected")).exit_code, 0) << line;
  }
}

TEST_F(MemoryUse, WithinLimitedData) {
  ran({"generate", "5000000", "-o", folder_("in.u64")});  // 38 MiB
  const Ran sorted = shell("ulimit -d 40000; " + postroom() + " sort -q --verify -p 1 -T " +
                           folder_("spill") + " -o " + folder_("out") + " " + folder_("in.u64"));
  EXPECT_EQ(sorted.exit_code, 0) << sorted;
}

TEST_F(MemoryUse, Plan) {
  ran({"generate", "10000000", "-o", folder_("in.u64")});  // 76 MiB
  const Ran planned = ran({"sort", "--plan", folder_("in.u64"), "-S", "30M", "-p", "1"});
  EXPECT_LE(planned.peak_bytes, 30 * kMiB) << planned;
}

TEST_F(MemoryUse, Merging) {
  Words inputs = {"-m"};
  for (const std::string& name : {std::string("a.u64"), std::string("b.u64")}) {
    ran({"generate", "6000000", "--distribution", "sorted", "-o", folder_(name)});
    inputs.push_back(folder_(name));
  }
  expect_sorts_within(32, 2, inputs);
}

// No number, but a line that has no end would be read until there is no memory left.
TEST_F(MemoryUse, MergingLinesThatAreTooLong) {
  std::ofstream(folder_("in.txt")) << "1\n" << std::setw(100'000'000) << "2\n";
  const Ran merged = run({"sort", "-m", "-S", "29M", "-p", "1", folder_("in.txt")});
  EXPECT_EQ(merged.exit_code, 2);
  EXPECT_EQ(merged.err, "postroom sort: " + folder_("in.txt") +
                            ": line 2 is longer than 2.40 MiB, which is all there is for it\n");
  EXPECT_LE(merged.peak_bytes, 29 * kMiB);
  // Those that are not too long are few in a piece.
  std::ofstream few(folder_("in.txt"));
  for (int line = 0; line < 100; ++line) few << std::setw(500'000) << line << '\n';
  few.close();
  expect_sorts_within(29, 1, {"-m", folder_("in.txt"), folder_("in.txt")});
}

TEST_F(MemoryUse, Checking) {
  std::ofstream numbers(folder_("in.txt"));
  for (int line = 0; line < 3'000'000; ++line) numbers << line << '\n';
  numbers.close();
  const Ran text = ran({"sort", "-c", "-S", "29M", "-p", "1", folder_("in.txt")});
  EXPECT_LE(text.peak_bytes, 29 * kMiB) << text;
  ran({"generate", "6000000", "--distribution", "sorted", "-o", folder_("in.u64")});
  const Ran records = ran({"sort", "-c", "-S", "29M", "-p", "1", folder_("in.u64")});
  EXPECT_LE(records.peak_bytes, 29 * kMiB) << records;
}

TEST_F(MemoryUse, CheckingLongLines) {
  std::ofstream(folder_("in.txt")) << "1\n" << std::setw(20'000'000) << "2\n";
  ran({"sort", "-c", folder_("in.txt")});
  const Ran little = run({"sort", "-c", "-S", "29M", "-p", "1", folder_("in.txt")});
  EXPECT_EQ(little.exit_code, 2);
  EXPECT_EQ(little.err, "postroom sort: " + folder_("in.txt") +
                            ": line 2 is longer than 4.00 MiB, which is all there is for it\n");
  EXPECT_LE(little.peak_bytes, 29 * kMiB);
}

// What the pieces are cut by does not grow with the files. These have holes only: all keys are 0.
TEST_F(MemoryUse, MergingMuchMoreThanTheMemory) {
  Words words = {"sort", "-q", "-m", "-S", "29M", "-p", "1", "--type", "u64", "-o", "/dev/null"};
  for (int file = 0; file < 40; ++file) words.push_back(folder_(std::to_string(file)));
  const auto peak_of = [&](std::uint64_t bytes_each) {
    for (int file = 0; file < 40; ++file) {
      write_file(folder_(std::to_string(file)), "");
      std::filesystem::resize_file(folder_(std::to_string(file)), bytes_each);
    }
    const Ran merged = ran(words);
    EXPECT_LE(merged.peak_bytes, 29 * kMiB) << merged;
    return merged.peak_bytes;
  };
  EXPECT_LE(peak_of(40 * kMiB), peak_of(4 * kMiB) + 3 * kMiB);
}

}  // namespace
}  // namespace postroom::cli
