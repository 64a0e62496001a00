// Files larger than -S, from end to end: the same bytes as in memory, and after any failure nothing
// is left and the old output is as it was.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "tests/cli/command.h"
#include "tests/cli/scratch_folder.h"

namespace postroom::cli {
namespace {

using Json = nlohmann::json;

constexpr std::uint64_t kSeed = 12;
constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;

template <class T>
std::string bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

std::vector<std::uint64_t> random_keys(std::size_t count) {
  std::mt19937_64 random(kSeed);
  std::vector<std::uint64_t> keys(count);
  for (std::uint64_t& key : keys) key = random();
  return keys;
}

class SpilledSort : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directory(spill_);
    std::filesystem::create_directory(folder_("files"));
  }

  std::string file(const std::string& name) const { return folder_("files/" + name); }

  /// In 29 MiB with one processor or 32 with two: 16 MiB are for the data.
  Words words(Words more, int processors) const {
    Words all = {"sort", "-S",  processors == 1 ? "29M" : "32M", "-p", std::to_string(processors),
                 "-T",   spill_};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }

  Ran sort(const Words& more, int processors = 2, const Surroundings& surroundings = {}) const {
    Ran ran = run(words(more, processors), surroundings);
    EXPECT_EQ(ran.exit_code, 0) << ran;
    EXPECT_TRUE(std::filesystem::is_empty(spill_));
    return ran;
  }

  /// With everything else as it was.
  void expect_refused(const Ran& ran, const std::string& says) const {
    EXPECT_EQ(ran.exit_code, 2) << ran;
    EXPECT_EQ(ran.error_lines(), 1) << ran;
    EXPECT_NE(ran.err.find(says), std::string::npos) << ran << "should say " << says;
    expect_untouched();
  }

  void write_old() const {
    write_file(file("old"), "the old content");
    chmod(file("old").c_str(), 0640);
  }

  void expect_untouched() const {
    EXPECT_EQ(content_of(file("old")), "the old content");
    EXPECT_EQ(status_of(file("old")).st_mode & 07777, 0640u);
    EXPECT_TRUE(std::filesystem::is_empty(spill_));
    for (const auto& entry : std::filesystem::directory_iterator(folder_("files"))) {
      EXPECT_NE(entry.path().filename().string().front(), '.') << entry.path() << " is left";
    }
  }

  ScratchFolder folder_;
  const std::string spill_ = folder_("spill");
};

TEST_F(SpilledSort, FilesPipesAndItself) {
  std::vector<std::uint64_t> keys = random_keys(5'000'000);
  write_file(file("keys.u64"), bytes_of(keys));
  std::ranges::sort(keys);
  const std::string sorted = bytes_of(keys);
  const Ran told = sort({file("keys.u64"), "-o", file("a")});
  EXPECT_NE(told.err.find("postroom sort: " + file("keys.u64") +
                          ": more than fits into 16.0 MiB of memory (32.0 MiB less what the "
                          "program needs); runs go to " +
                          spill_ + "\n"),
            std::string::npos)
      << told;
  for (const int processors : {1, 2}) {
    sort({file("keys.u64"), "-o", file("a"), "--verify", "--json", file("report")}, processors);
    EXPECT_TRUE(content_of(file("a")) == sorted);
    const Json report = Json::parse(content_of(file("report")));
    EXPECT_EQ(report["records"], 5'000'000);
    EXPECT_EQ(report["input_bytes"], 40'000'000);
    EXPECT_EQ(report["output_bytes"], 40'000'000);
    EXPECT_GE(report["runs"]["runs"].get<int>(), 4);
    EXPECT_EQ(report["runs"]["temporary_directory"], spill_);
    EXPECT_EQ(report["runs"]["spilled_bytes"], 40'000'000);
    EXPECT_EQ(report["runs"]["merge_passes"], 1);
    EXPECT_EQ(report["verified"], true);

    std::string line = "cat " + file("keys.u64") + " | " + postroom();
    for (const std::string& word : words({"--type", "u64", "--verify", "-q"}, processors)) {
      line += " " + word;
    }
    const Ran piped = shell(line + " | cmp - " + file("a"));
    EXPECT_EQ(piped.exit_code, 0) << piped;
    EXPECT_EQ(piped.err, "");
  }
  sort({file("keys.u64"), "-o", file("keys.u64"), "-q"});
  EXPECT_TRUE(content_of(file("keys.u64")) == sorted);
}

/// A record whose key is neither at its beginning nor aligned.
struct [[gnu::packed]] Event {
  std::uint8_t kind;
  std::int32_t key;
  std::uint32_t number;
};

TEST_F(SpilledSort, RecordsOfSeveralFilesKeepTheirOrderAmongEquals) {
  std::mt19937_64 random(kSeed);
  std::vector<Event> events(2'500'000);
  for (std::uint32_t i = 0; i < events.size(); ++i) {
    events[i] = {7, static_cast<std::int32_t>(random() % 50) - 25, i};
  }
  const std::string all = bytes_of(events);
  const std::size_t border = 9 * 1'000'000;
  write_file(file("a"), all.substr(0, border));
  write_file(file("b"), all.substr(border));
  const Words format = {"--type", "i32", "--record-bytes", "9", "--key-offset", "1"};
  for (const bool down : {false, true}) {
    Words given = {file("a"), file("b"), "-o", file("out"), "--verify"};
    given.insert(given.end(), format.begin(), format.end());
    if (down) given.push_back("-r");
    const Ran ran = sort(given, down ? 1 : 2);
    EXPECT_NE(ran.err.find("2 files: more than fits"), std::string::npos) << ran;
    std::vector<Event> expected = events;
    std::ranges::stable_sort(expected, [&](const Event& x, const Event& y) {
      return down ? y.key < x.key : x.key < y.key;
    });
    EXPECT_TRUE(content_of(file("out")) == bytes_of(expected)) << down;
  }
}

/// Lines of several spellings; among equal numbers they differ.
std::string spelled_lines(std::size_t lines) {
  std::mt19937_64 random(kSeed);
  std::string text;
  for (std::size_t line = 0; line < lines; ++line) {
    const auto shape = random() % 8;
    if (shape == 0) text += " ";
    if (shape == 1) text += "+000";
    text += std::to_string(random() % 1'000'000);
    if (shape == 2) text += "\t ";
    text += '\n';
  }
  return text;
}

TEST_F(SpilledSort, TextAsInMemory) {
  std::mt19937_64 random(kSeed);
  std::string plain;
  for (int line = 0; line < 700'000; ++line) {
    plain += std::to_string(static_cast<std::int64_t>(random()) >> (random() % 40)) + '\n';
  }
  for (const std::string& text : {plain, plain.substr(0, plain.size() - 1),
                                  spelled_lines(1'200'000), std::string(6'000'000, '\n') + plain}) {
    write_file(file("in.txt"), text);
    const bool down = text.size() % 2 == 0;
    const std::string way = down ? "-qr" : "-q";
    ASSERT_EQ(run({"sort", file("in.txt"), "-o", file("expected"), way}).exit_code, 0);
    sort({file("in.txt"), "-o", file("out"), "--verify", way}, down ? 1 : 2);
    EXPECT_TRUE(content_of(file("out")) == content_of(file("expected"))) << text.substr(0, 100);
  }
  ASSERT_EQ(run({"sort", "-qr", file("in.txt"), "-o", file("expected")}).exit_code, 0);
  std::string line = "cat " + file("in.txt") + " | " + postroom();
  for (const std::string& word : words({"--type", "text", "--verify", "-qr"}, 2))
    line += " " + word;
  const Ran piped = shell(line + " | cmp - " + file("expected"));
  EXPECT_EQ(piped.exit_code, 0) << piped;
}

TEST_F(SpilledSort, WhatFitsStaysInMemory) {
  write_file(file("in.u64"), bytes_of(random_keys(500'000)));
  const Ran ran = sort({file("in.u64"), "-o", file("out"), "--json", file("report")});
  EXPECT_EQ(ran.error_lines(), 1) << ran;
  EXPECT_TRUE(Json::parse(content_of(file("report")))["runs"].is_null());
}

TEST_F(SpilledSort, ThePlanTellsOfRuns) {
  write_file(file("in.u64"), bytes_of(random_keys(5'000'000)));
  const Ran ran = sort({file("in.u64"), "-o", file("out"), "--plan", "--json", file("plan")});
  const Json plan = Json::parse(content_of(file("plan")));
  EXPECT_EQ(plan["runs"], 10);
  EXPECT_EQ(plan["spilled_bytes"], 40'000'000);
  EXPECT_EQ(plan["memory_bytes"], 16 * kMiB);
  EXPECT_NE(ran.out.find("10 runs; 38.1 MiB in " + spill_), std::string::npos) << ran.out;
  for (const char* step : {"spill", "merge"}) EXPECT_NE(ran.out.find(step), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(file("out")));
}

// It is not all that may be taken: pieces of 16 MiB, or 1 MiB for each file, are enough. With two
// processors four of them are under way, each twice.
TEST_F(SpilledSort, ThePlanTellsWhatMergingTakes) {
  const auto planned = [&](std::size_t count, std::uint64_t bytes) {
    Words line = {"sort", "-m", "-p", "2", "--plan", "--json", file("plan"), "-o", file("out")};
    for (std::size_t i = 0; i < count; ++i) {
      line.push_back(file("part" + std::to_string(i) + ".u64"));
      write_file(line.back(), "");
      std::filesystem::resize_file(line.back(), bytes);  // without any blocks
    }
    const Ran ran = run(line);
    EXPECT_EQ(ran.exit_code, 0) << ran;
    return Json::parse(content_of(file("plan")))["memory_bytes"].get<std::uint64_t>();
  };
  EXPECT_EQ(planned(2, 1024 * kMiB), 4 * 2 * 16 * kMiB);
  EXPECT_EQ(planned(20, 1024 * kMiB), 4 * 2 * 20 * kMiB);
  EXPECT_EQ(planned(2, 8000), 2 * 2 * 8000);
}

TEST_F(SpilledSort, MergesWhatIsSorted) {
  std::vector<std::uint64_t> keys = random_keys(3'000'000);
  std::vector<std::string> files;
  const std::size_t part = keys.size() / 3;
  for (std::size_t i = 0; i < 3; ++i) {
    std::sort(keys.begin() + static_cast<long>(i * part),
              keys.begin() + static_cast<long>((i + 1) * part));
    files.push_back(file("part" + std::to_string(i) + ".u64"));
    write_file(files.back(), bytes_of(keys).substr(8 * i * part, 8 * part));
  }
  std::ranges::sort(keys);
  const Ran ran = sort({"-m", files[0], files[1], files[2], "-o", file("out"), "--verify"});
  EXPECT_TRUE(content_of(file("out")) == bytes_of(keys));
  EXPECT_TRUE(ran.err.starts_with("merged 3,000,000 u64 in ")) << ran;
  EXPECT_NE(ran.err.find("(2 processors), 3 runs, merge "), std::string::npos) << ran;
  // One of them through a pipe.
  Surroundings piped;
  piped.input = files[1];
  sort({"-m", "--type", "u64", files[0], "-", files[2], "-o", file("out")}, 1, piped);
  EXPECT_TRUE(content_of(file("out")) == bytes_of(keys));
  const Ran cat =
      shell("cat " + files[1] + " | " + postroom() + " sort -m -q --verify --type u64 " + files[0] +
            " - " + files[2] + " | cmp - " + file("out"));
  EXPECT_EQ(cat.exit_code, 0) << cat;
  EXPECT_EQ(cat.err, "");
  const Ran told = shell("cat " + files[1] + " | " + postroom() + " sort -m --type u64 " +
                         files[0] + " - " + files[2] + " -T " + spill_ + " -o " + file("told"));
  EXPECT_NE(told.err.find(": no regular file; it is copied to " + spill_ + " first\n"),
            std::string::npos)
      << told;
  EXPECT_TRUE(content_of(file("told")) == bytes_of(keys));
}

TEST_F(SpilledSort, AnEmptyFileIsARunThatNeedsNoSpillFolder) {
  const std::string one = bytes_of(std::vector<std::uint64_t>{1, 5});
  write_file(file("one.u64"), one);
  write_file(file("none.u64"), "");
  const std::string merge = "TMPDIR=" + folder_("missing") + " " + postroom() + " sort -m ";
  const Ran ran = shell(merge + file("none.u64") + " " + file("one.u64") + " -o " + file("out"));
  EXPECT_EQ(ran.exit_code, 0) << ran;
  EXPECT_EQ(content_of(file("out")), one);
  const Ran nothing = shell(merge + file("none.u64") + " -o " + file("out"));
  EXPECT_EQ(nothing.exit_code, 0) << nothing;
  EXPECT_EQ(content_of(file("out")), "");
}

TEST_F(SpilledSort, MergesText) {
  write_file(file("a.txt"), "-5\n 3\n10");
  write_file(file("b.txt"), "+3\n4\n");
  write_file(file("c.txt"), "");
  sort({"-m", file("a.txt"), file("b.txt"), file("c.txt"), "-o", file("out"), "--verify"});
  EXPECT_EQ(content_of(file("out")), "-5\n 3\n+3\n4\n10\n");
}

// ---- Failures.

TEST_F(SpilledSort, AFullSpillFolder) {
  write_file(file("in.u64"), bytes_of(random_keys(5'000'000)));
  write_old();
  const std::string full = folder_("full");
  std::filesystem::create_directory(full);
  const std::string sort_it = postroom() + " sort --type u64 -q -S 32M -p 2 -T " + full + " -o " +
                              file("old") + "; echo \"exit code $?\"; ls -A " + full + "; ";
  const std::string sorts =
      "< " + file("in.u64") + " " + sort_it + "cat " + file("in.u64") + " | " + sort_it;
  const std::string inside = "mount -t tmpfs -o size=10m tmpfs " + full + " || exit 77; " + sorts;
  const Ran ran = shell("unshare -rm true || exit 77; unshare -rm sh -c '" + inside + "'");
  if (ran.exit_code == 77) GTEST_SKIP() << "no file system may be mounted here: " << ran.err;
  EXPECT_EQ(ran.out, "exit code 2\nexit code 2\n") << ran;
  const std::string line =
      "postroom sort: temporary directory " + full + ": No space left on device\n";
  EXPECT_EQ(ran.err, line + line);
  expect_untouched();
}

TEST_F(SpilledSort, AFileLimit) {
  write_file(file("in.u64"), bytes_of(random_keys(5'000'000)));
  write_old();
  Surroundings limited;
  limited.file_limit_bytes = 10'000'000;
  expect_refused(run(words({file("in.u64"), "-q", "-o", file("old")}, 2), limited),
                 file("old") + ": File too large");
  expect_refused(run(words({file("in.u64"), "-q"}, 2), limited),
                 "temporary directory " + spill_ + ": File too large");
}

TEST_F(SpilledSort, AFullOutput) {
  write_file(file("in.u64"), bytes_of(random_keys(5'000'000)));
  write_old();
  expect_refused(run(words({file("in.u64"), "-q", "-o", "/dev/full"}, 2)),
                 "/dev/full: No space left on device");
}

TEST_F(SpilledSort, NoSpillFolder) {
  write_file(file("in.u64"), bytes_of(random_keys(5'000'000)));
  write_old();
  expect_refused(shell("TMPDIR=" + folder_("missing") + " " + postroom() + " sort -S 32M -p 2 " +
                       file("in.u64") + " -o " + file("old")),
                 "temporary directory " + folder_("missing") + ": No such file or directory");
}

TEST_F(SpilledSort, AWrongLineFoundLate) {
  std::string text;
  for (int line = 0; line < 1'500'000; ++line) text += "1234567\n";
  write_file(file("in.txt"), text);
  write_file(file("bad.txt"), "1\n2\n12x\n");
  write_old();
  expect_refused(run(words({file("in.txt"), file("bad.txt"), "-q", "-o", file("old")}, 2)),
                 file("bad.txt") + ": line 3: '12x' is not an integer");
  write_file(file("minus.txt"), "-1\n");
  write_file(file("large.txt"), "1\n18446744073709551615\n");
  expect_refused(
      run(words({file("minus.txt"), file("in.txt"), file("large.txt"), "-q", "-o", file("old")},
                2)),
      file("large.txt") +
          ": line 2: '18446744073709551615' is above 9223372036854775807, which is not "
          "allowed beside a negative number (" +
          file("minus.txt") + ": line 1)");
}

TEST_F(SpilledSort, AnOddNumberOfBytesFoundLate) {
  write_file(file("in"), std::string(20'000'001, 'k'));  // NOLINT: that long, not so many k
  write_old();
  const Ran ran = shell("cat " + file("in") + " | " + postroom() +
                        " sort -q -S 32M -p 2 --type u64 -T " + spill_ + " -o " + file("old"));
  expect_refused(ran,
                 "standard input: its 20000001 bytes are no whole number of records of 8 bytes");
}

TEST_F(SpilledSort, WrongInputsForMerging) {
  write_file(file("up.u8"), "abc");
  write_file(file("down.u8"), "acb");
  write_file(file("a.txt"), "-1\n");
  write_file(file("b.txt"), "18446744073709551615\n");
  write_old();
  expect_refused(run({"sort", "-m", file("up.u8"), file("down.u8"), "-o", file("old")}),
                 file("down.u8") + ": record 3 is out of order; only what is in order");
  expect_refused(run({"sort", "-mr", file("up.u8"), "-o", file("old")}),
                 file("up.u8") + ": record 2 is out of order; only what is in order");
  expect_refused(run({"sort", "-m", file("a.txt"), file("b.txt"), "-o", file("old")}),
                 file("b.txt") +
                     ": line 1: '18446744073709551615' is above 9223372036854775807, which is not "
                     "allowed beside a negative number (" +
                     file("a.txt") + ": line 1)");
  write_file(file("c.txt"), "-9223372036854775807\n9223372036854775810\n5\n");
  expect_refused(run({"sort", "-m", file("c.txt"), "-o", file("old")}),
                 file("c.txt") + ": line 3: '5' is out of order");
}

TEST_F(SpilledSort, SignalsWhileRunsAreWritten) {
  const std::string keys = bytes_of(random_keys(5'000'000));
  write_old();
  ASSERT_EQ(mkfifo(file("in").c_str(), 0600), 0);
  for (const int signal_number : {SIGINT, SIGTERM, SIGHUP, SIGKILL}) {
    Words all = words({"--type", "u64", file("in"), "-q", "-o", file("old")}, 2);
    all.insert(all.begin(), postroom());
    Child child(all);
    // The pipe stays open, so the child waits for more after these.
    std::ofstream pipe(file("in"), std::ios::binary);
    pipe << keys << std::flush;
    while (child.written_below(spill_) <= 0 && !child.has_ended()) {
    }
    EXPECT_TRUE(std::filesystem::is_empty(spill_));
    child.send(signal_number);
    EXPECT_EQ(child.wait().signal, signal_number);
    expect_untouched();
  }
}

TEST_F(SpilledSort, SignalsWhileRunsAreMerged) {
  write_file(file("in.u64"), bytes_of(random_keys(5'000'000)));
  write_old();
  int in_mid_merge = 0;
  for (const int signal_number : {SIGINT, SIGTERM, SIGHUP, SIGKILL}) {
    Words all = words({file("in.u64"), "-q", "-o", file("old")}, 2);
    all.insert(all.begin(), postroom());
    Child child(all);
    long written = 0;
    while (!child.has_ended() &&
           (written = child.written_below(folder_("files"), "/in.u64")) <= 0) {
    }
    child.send(signal_number);
    const Ran ran = child.wait();
    if (ran.signal == 0) {
      EXPECT_EQ(ran.exit_code, 0) << ran;  // it was faster than we
      write_old();
      continue;
    }
    in_mid_merge += written > 0 && written < 40'000'000;
    EXPECT_EQ(ran.signal, signal_number);
    expect_untouched();
  }
  EXPECT_GE(in_mid_merge, 2);
}

}  // namespace
}  // namespace postroom::cli
