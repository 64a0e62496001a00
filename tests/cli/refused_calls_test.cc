// Sorting where the kernel refuses calls that help but are not necessary: there is another way, and
// the same result.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "tests/cli/command.h"
#include "tests/cli/scratch_folder.h"

namespace postroom::cli {
namespace {

constexpr const char* kRefusing = "tests/cli/refusing";
constexpr int kNoFilters = 77;

class RefusedCalls : public ::testing::Test {
 protected:
  void SetUp() override {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "a sanitizer makes calls of its own";
#endif
    const Ran ran = Child({kRefusing, "EPERM", "fallocate", "true"}).wait();
    if (ran.exit_code == kNoFilters) GTEST_SKIP() << "no filters of calls here";
    write_file(folder_("keys.txt"), "3\n1\n2\n");
    write_file(folder_("former.txt"), "former\n");
  }

  // Where there was no file, and in the place of one.
  void expect_sorted(const std::string& error, const std::string& calls, const Words& more = {}) {
    for (const std::string target : {"new.txt", "former.txt"}) {
      Words words = {kRefusing,           error, calls,          postroom(), "sort", "-q",
                     folder_("keys.txt"), "-o",  folder_(target)};
      words.insert(words.end(), more.begin(), more.end());
      const Ran ran = Child(words).wait();
      EXPECT_EQ(ran.exit_code, 0) << error << ' ' << calls << '\n' << ran;
      EXPECT_EQ(ran.err, "") << error << ' ' << calls;
      EXPECT_EQ(content_of(folder_(target)), "1\n2\n3\n") << error << ' ' << calls;
    }
    EXPECT_EQ(folder_.names().size(), 3U) << "something is left: " << error << ' ' << calls;
    std::filesystem::remove(folder_("new.txt"));
    write_file(folder_("former.txt"), "former\n");
  }

  ScratchFolder folder_;
};

TEST_F(RefusedCalls, NoThreads) { expect_sorted("EAGAIN", "clone,clone3", {"-p", "1"}); }

TEST_F(RefusedCalls, NoRoomTakenBeforehand) {
  for (const std::string error : {"EPERM", "EINVAL", "ENOSYS"}) expect_sorted(error, "fallocate");
}

TEST_F(RefusedCalls, NoFilesWithoutNames) {
  for (const std::string error : {"EPERM", "EINVAL", "ENOSYS"}) expect_sorted(error, "tmpfile");
}

TEST_F(RefusedCalls, NoNewerQuestionForAccess) { expect_sorted("EPERM", "faccessat2"); }

TEST_F(RefusedCalls, NoAccessLists) { expect_sorted("ENOSYS", "getxattr,fremovexattr"); }

}  // namespace
}  // namespace postroom::cli
