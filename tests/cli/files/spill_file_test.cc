// Temporary files that have no name, on file systems with nameless files and on those without.
#include "cli/files/spill_file.h"

#include <gtest/gtest.h>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <span>
#include <string>
#include <system_error>

#include "tests/cli/scratch_folder.h"
#include "tests/thrown.h"

namespace postroom::cli {
namespace {

using Temporary = SpillFile::Temporary;

bool is_tmpfs(const std::string& folder) {
  struct statfs system = {};
  return statfs(folder.c_str(), &system) != 0 || system.f_type == TMPFS_MAGIC;
}

class SpillFileTest : public ::testing::TestWithParam<Temporary> {};

INSTANTIATE_TEST_SUITE_P(Temporary, SpillFileTest,
                         ::testing::Values(Temporary::kNamelessIfPossible, Temporary::kHiddenName),
                         [](const auto& given) {
                           return given.param == Temporary::kHiddenName ? "HiddenName" : "Nameless";
                         });

TEST_P(SpillFileTest, HoldsWhatWasWrittenAndHasNoName) {
  const ScratchFolder folder;
  SpillFile file(folder(), GetParam());
  file.reserve(100);
  for (const std::string& text : {std::string("one "), std::string("two")}) {
    file.write(std::as_bytes(std::span(text)));
  }
  EXPECT_EQ(file.bytes(), 7u);
  std::string read(7, ' ');
  EXPECT_EQ(read_full_at(file.descriptor(), std::as_writable_bytes(std::span(read)), 0, "it"), 7u);
  EXPECT_EQ(read, "one two");
  EXPECT_TRUE(folder.names().empty());
}

TEST_P(SpillFileTest, RefusalsNameTheFolder) {
  const ScratchFolder folder;
  EXPECT_EQ(thrown<std::system_error>([&] { const SpillFile file(folder("missing"), GetParam()); }),
            "temporary directory " + folder("missing") + ": No such file or directory");
}

TEST_P(SpillFileTest, MoreThanTheDiskHasIsRefusedBeforehand) {
  const ScratchFolder folder;
  SpillFile file(folder(), GetParam());
  EXPECT_THROW(file.reserve(std::uint64_t{1} << 60), std::system_error);
}

TEST(SpillFolder, IsWhatWasWishedForOrTheSystems) {
  const ScratchFolder usual;
  if (is_tmpfs(usual())) GTEST_SKIP() << usual() << " is in memory";
  EXPECT_EQ(spill_folder("/here", "-", usual()), "/here");
  ASSERT_EQ(setenv("TMPDIR", "/there", 1), 0);
  EXPECT_EQ(spill_folder(std::nullopt, "-", usual()), "/there");
  ASSERT_EQ(setenv("TMPDIR", "", 1), 0);
  EXPECT_EQ(spill_folder(std::nullopt, "-", usual()), usual());
  ASSERT_EQ(unsetenv("TMPDIR"), 0);
  EXPECT_EQ(spill_folder(std::nullopt, "-", usual()), usual());
}

TEST(SpillFolder, IsOnADiskWhereTheSystemsIsInMemory) {
  const std::string usual = "/dev/shm";
  const ScratchFolder folder;
  if (!is_tmpfs(usual) || is_tmpfs(folder()) || is_tmpfs("/var/tmp")) {
    GTEST_SKIP() << "needs " << usual << " in memory, and " << folder()
                 << " and /var/tmp on a disk";
  }
  EXPECT_EQ(spill_folder("/dev/shm", folder("out"), usual), "/dev/shm");
  ASSERT_EQ(setenv("TMPDIR", "/dev/shm", 1), 0);
  EXPECT_EQ(spill_folder(std::nullopt, folder("out"), usual), "/dev/shm");
  ASSERT_EQ(unsetenv("TMPDIR"), 0);
  EXPECT_EQ(spill_folder(std::nullopt, folder("out"), usual), folder());
  std::filesystem::create_symlink(folder("out"), "link");
  EXPECT_EQ(spill_folder(std::nullopt, "link", usual), folder());
  std::filesystem::remove("link");
  const std::string other = access("/var/tmp", W_OK | X_OK) == 0 ? "/var/tmp" : usual;
  for (const char* const output : {"-", "/dev/null", "/dev/shm/out"}) {
    EXPECT_EQ(spill_folder(std::nullopt, output, usual), other) << output;
  }
}

}  // namespace
}  // namespace postroom::cli
