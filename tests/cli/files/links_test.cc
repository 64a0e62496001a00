// Where links lead, and which paths are names of descriptors.
#include "cli/files/links.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <system_error>

#include "cli/files/descriptor.h"
#include "tests/cli/scratch_folder.h"

namespace postroom::cli {
namespace {

TEST(FollowLinks, LeavesOtherPathsAsTheyAre) {
  EXPECT_EQ(follow_links("/nowhere/at/all"), "/nowhere/at/all");
  EXPECT_EQ(follow_links("name"), "name");
}

TEST(FollowLinks, LeadToWhatIsNotThereYet) {
  const ScratchFolder folder;
  std::filesystem::create_symlink("second", folder("first"));
  std::filesystem::create_symlink(folder("third"), folder("second"));
  EXPECT_EQ(follow_links(folder("first")), folder("third"));
  std::filesystem::create_symlink("round", folder("round"));
  EXPECT_THROW((void)follow_links(folder("round")), std::system_error);
}

TEST(OwnDescriptor, ByAnyOfItsNames) {
  const ScratchFolder folder;
  const Descriptor file(open(folder("file").c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
  const std::string number = std::to_string(file.get());
  for (const std::string& name :
       {"/dev/fd/" + number, "/proc/self/fd/" + number, "/proc/self/fd/../fd/" + number,
        "/proc/" + std::to_string(getpid()) + "/fd/" + number}) {
    EXPECT_EQ(own_descriptor(name), file.get()) << name;
  }
  EXPECT_EQ(own_descriptor("/dev/stdout"), STDOUT_FILENO);
  std::filesystem::create_symlink("/dev/stderr", folder("errors"));
  EXPECT_EQ(own_descriptor(folder("errors")), STDERR_FILENO);
}

TEST(OwnDescriptor, NothingElse) {
  const ScratchFolder folder;
  write_file(folder("1"), "");
  for (const std::string& name : {folder("1"), folder("missing"), std::string("1"),
                                  std::string("/dev/null"), std::string("/proc/self/fd"),
                                  std::string("/proc/self/fd/x"), std::string("/proc/1/fd/1")}) {
    EXPECT_EQ(own_descriptor(name), std::nullopt) << name;
  }
}

}  // namespace
}  // namespace postroom::cli
