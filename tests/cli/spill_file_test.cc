// Temporary files that have no name, on file systems with nameless files and on those without.
#include "cli/spill_file.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <span>
#include <string>
#include <system_error>

#include "tests/cli/scratch_folder.h"
#include "tests/thrown.h"

namespace postroom::cli {
namespace {

using Temporary = SpillFile::Temporary;

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
            "--temporary-directory: " + folder("missing") + ": No such file or directory");
}

TEST_P(SpillFileTest, MoreThanTheDiskHasIsRefusedBeforehand) {
  const ScratchFolder folder;
  SpillFile file(folder(), GetParam());
  EXPECT_THROW(file.reserve(std::uint64_t{1} << 60), std::system_error);
}

TEST(SpillFolder, IsWhatWasWishedForOrTheSystems) {
  EXPECT_EQ(spill_folder("/here"), "/here");
  ASSERT_EQ(setenv("TMPDIR", "/there", 1), 0);
  EXPECT_EQ(spill_folder(std::nullopt), "/there");
  ASSERT_EQ(setenv("TMPDIR", "", 1), 0);
  EXPECT_EQ(spill_folder(std::nullopt), "/tmp");
  ASSERT_EQ(unsetenv("TMPDIR"), 0);
  EXPECT_EQ(spill_folder(std::nullopt), "/tmp");
}

}  // namespace
}  // namespace postroom::cli
