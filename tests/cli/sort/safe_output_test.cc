// Whatever goes wrong while a file is sorted: the old output is as it was, and nothing lies beside
// it.
#include <dirent.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "tests/cli/command.h"
#include "tests/cli/scratch_folder.h"

namespace postroom::cli {
namespace {

constexpr std::size_t kKeys = 6'000'000;
constexpr long kSomeBytes = 4096;  // more than is said to threads and terminals
constexpr std::size_t kBytes = kKeys * sizeof(std::uint64_t);

class SafeOutput : public ::testing::Test {
 protected:
  void SetUp() override {
    write_file(folder_("old.u64"), old_content_);
    chmod(folder_("old.u64").c_str(), 0640);
  }

  void expect_untouched(const std::string& after) const {
    EXPECT_TRUE(content_of(folder_("old.u64")) == old_content_) << after;
    EXPECT_EQ(status_of(folder_("old.u64")).st_mode & 07777, 0640u) << after;
    for (const std::string& name : folder_.names()) {
      EXPECT_TRUE(name == "old.u64" || name == "in.u64") << name << " is left " << after;
    }
  }

  void expect_refused(const Ran& ran, const std::string& says) const {
    EXPECT_EQ(ran.exit_code, 2) << ran;
    EXPECT_EQ(ran.error_lines(), 1) << ran;
    EXPECT_NE(ran.err.find(says), std::string::npos) << ran;
    expect_untouched("after " + ran.err);
  }

  void expect_safe_from_signals(const Words& what);

  /// How much the child has written to its output, or -1 when that has not been opened.
  long written_by(const Child& child) const { return child.written_below(folder_(), "/in.u64"); }

  const std::string old_content_ = "the old content";
  ScratchFolder folder_;
};

TEST_F(SafeOutput, AFullDevice) {
  write_file(folder_("in.u64"), std::string(80'000, 'k'));
  expect_refused(run({"sort", folder_("in.u64"), "-o", "/dev/full"}),
                 "/dev/full: No space left on device");
  expect_refused(run({"sort", folder_("in.u64")}, {.output = "/dev/full"}),
                 "standard output: No space left on device");
  expect_refused(run({"generate", "10000", "--type", "text", "-o", "/dev/full"}),
                 "/dev/full: No space left on device");
}

TEST_F(SafeOutput, AFileLimit) {
  write_file(folder_("in.u64"), std::string(800'000, 'k'));
  Surroundings limited;
  limited.file_limit_bytes = 100'000;
  expect_refused(run({"sort", folder_("in.u64"), "-o", folder_("old.u64")}, limited),
                 "old.u64: File too large");
  expect_refused(run({"sort", folder_("in.u64"), "-o", folder_("new.u64")}, limited),
                 "new.u64: File too large");
  expect_refused(run({"generate", "100000", "--type", "text", "-o", folder_("old.u64")}, limited),
                 "old.u64: File too large");
}

TEST_F(SafeOutput, AFileLimitFromFileToFile) {
  std::string keys(8'000'000, 'k');
  std::mt19937_64 random(9);
  for (char& byte : keys) byte = static_cast<char>(random());
  write_file(folder_("in.u64"), keys);
  Surroundings limited;
  limited.file_limit_bytes = 5'000'000;
  expect_refused(run({"sort", folder_("in.u64"), "-o", folder_("old.u64")}, limited),
                 "old.u64: File too large");
}

TEST_F(SafeOutput, AFullFileSystem) {
  write_file(folder_("in.u64"), std::string(4'000'000, 'k'));
  const std::string full = folder_("full");
  std::filesystem::create_directory(full);
  // A file system of 1 MB of our own, where the system allows that.
  const std::string inside =
      "mount -t tmpfs -o size=1m tmpfs " + full + " || exit 77; echo the old content > " + full +
      "/old.u64; " + postroom() + " sort " + folder_("in.u64") + " -o " + full +
      "/old.u64; echo \"exit code $?\"; " + postroom() + " generate 1000000 --type text -o " +
      full + "/old.u64; echo \"exit code $?\"; cat " + full + "/*; ls -A " + full;
  const Ran ran = shell("unshare -rm true || exit 77; unshare -rm sh -c '" + inside + "'");
  std::filesystem::remove(full);
  if (ran.exit_code == 77) GTEST_SKIP() << "no file system may be mounted here: " << ran.err;
  EXPECT_EQ(ran.out, "exit code 2\nexit code 2\nthe old content\nold.u64\n") << ran;
  EXPECT_EQ(ran.error_lines(), 2) << ran;
  EXPECT_NE(ran.err.find("old.u64: No space left on device"), std::string::npos) << ran;
}

TEST_F(SafeOutput, AWrongInputFoundLate) {
  std::string text;
  for (int line = 0; line < 300'000; ++line) text += "123456\n";
  write_file(folder_("in.u64"), text + "12345x\n");
  expect_refused(run({"sort", folder_("in.u64"), "--type", "text", "-o", folder_("old.u64")}),
                 "line 300001: '12345x' is not an integer");
}

TEST_F(SafeOutput, AReportThatCannotTakeItsPlaceIsToldWithWhatHasHappened) {
  ASSERT_EQ(mkfifo(folder_("in.u64").c_str(), 0600), 0);
  const std::string reports = folder_("reports");
  std::filesystem::create_directory(reports);
  Child child({postroom(), "sort", "-q", "--type", "u64", folder_("in.u64"), "-o",
               folder_("old.u64"), "--json", reports + "/report"});
  {
    std::ofstream pipe(folder_("in.u64"));
    while (child.written_below(reports) < 0 && !child.has_ended()) {
    }
    std::filesystem::remove_all(reports);
    pipe << "12345678";
  }
  const Ran ran = child.wait();
  EXPECT_EQ(ran.exit_code, 2) << ran;
  EXPECT_EQ(ran.err, "postroom sort: " + folder_("old.u64") + " is written; --json: " + reports +
                         "/report: No such file or directory\n");
  EXPECT_EQ(content_of(folder_("old.u64")), "12345678");
}

TEST_F(SafeOutput, ASignalWhileTheInputIsRead) {
  for (const int signal_number : {SIGINT, SIGTERM, SIGHUP, SIGKILL}) {
    // A pipe from which nothing comes.
    ASSERT_EQ(mkfifo(folder_("in.u64").c_str(), 0600), 0);
    Child child({postroom(), "sort", "--type", "u64", folder_("in.u64"), "-o", folder_("old.u64")});
    {
      const std::ofstream pipe(folder_("in.u64"));  // opens when the child has opened it
      while (written_by(child) < 0 && !child.has_ended()) {
      }
      child.send(signal_number);
      EXPECT_EQ(child.wait().signal, signal_number);
    }
    std::filesystem::remove(folder_("in.u64"));
    expect_untouched("after signal " + std::to_string(signal_number));
  }
}

/// Sorts with these arguments into a file that is there, again and again, and is killed meanwhile.
void SafeOutput::expect_safe_from_signals(const Words& what) {
  constexpr int kRounds = 3;
  int in_mid_write = 0;
  int rounds = 0;
  for (const int signal_number : {SIGINT, SIGTERM, SIGHUP, SIGKILL}) {
    for (int round = 0; round < kRounds; ++round, ++rounds) {
      Words words = {postroom(), "sort", "-o", folder_("old.u64"), "-q"};
      words.insert(words.end(), what.begin(), what.end());
      Child child(words);
      long written = 0;
      while (!child.has_ended() && (written = child.written()) < kSomeBytes) {
      }
      child.send(signal_number);
      const Ran ran = child.wait();
      if (ran.signal == 0) {
        // It was faster than we: then all is there.
        EXPECT_EQ(ran.exit_code, 0) << ran;
        EXPECT_EQ(std::filesystem::file_size(folder_("old.u64")), kBytes);
        SetUp();
        continue;
      }
      EXPECT_EQ(ran.signal, signal_number);
      in_mid_write += written >= kSomeBytes && written < static_cast<long>(kBytes);
      expect_untouched("after signal " + std::to_string(signal_number) + " at byte " +
                       std::to_string(written));
    }
  }
  EXPECT_GE(in_mid_write, rounds / 2)
      << "only " << in_mid_write << " of " << rounds << " signals came in mid-write";
}

TEST_F(SafeOutput, ASignalInMidWrite) {
  // Written in order.
  expect_safe_from_signals({"--random", std::to_string(kKeys), "--type", "u64"});
  run({"generate", std::to_string(kKeys), "-o", folder_("in.u64")});
  // Anywhere.
  expect_safe_from_signals({folder_("in.u64")});
}

}  // namespace
}  // namespace postroom::cli
