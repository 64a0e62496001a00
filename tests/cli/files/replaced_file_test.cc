// The old file stays until commit() and is replaced as a whole then, on file systems with nameless
// files and on those without.
#include "cli/files/replaced_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <span>
#include <string>

#include "cli/files/descriptor.h"
#include "tests/cli/scratch_folder.h"
#include "tests/thrown.h"

namespace {

bool folders_can_be_flushed = true;

}  // namespace

/// Takes the place of the C library's, so that a test can have a disk that fails at the very end.
extern "C" int fsync(int descriptor) {
  struct stat status = {};
  if (!folders_can_be_flushed && fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode)) {
    errno = EIO;
    return -1;
  }
  return static_cast<int>(syscall(SYS_fsync, descriptor));
}

namespace postroom::cli {
namespace {

using Names = std::set<std::string>;
using Temporary = ReplacedFile::Temporary;

class ReplacedFileTest : public ::testing::TestWithParam<Temporary> {
 protected:
  ReplacedFile open(const std::string& path) { return ReplacedFile(path, GetParam()); }

  static void put(const ReplacedFile& file, const std::string& content) {
    write_all(file.descriptor(), std::as_bytes(std::span(content)), "the test's file");
  }

  /// What opening `path` throws.
  std::string refusal(const std::string& path) {
    return thrown<std::exception>([&] { open(path); });
  }

  ScratchFolder folder_{"/tmp"};  // where somebody who is not root may go, too
};

INSTANTIATE_TEST_SUITE_P(Temporary, ReplacedFileTest,
                         ::testing::Values(Temporary::kNamelessIfPossible, Temporary::kHiddenName),
                         [](const auto& given) {
                           return given.param == Temporary::kHiddenName ? "HiddenName" : "Nameless";
                         });

TEST_P(ReplacedFileTest, ANewFileAppearsAtTheEnd) {
  {
    ReplacedFile file = open(folder_("new"));
    put(file, "content");
    EXPECT_FALSE(std::filesystem::exists(folder_("new")));
    file.commit();
  }
  EXPECT_EQ(content_of(folder_("new")), "content");
  EXPECT_EQ(folder_.names(), Names({"new"}));
}

TEST_P(ReplacedFileTest, WithoutCommitNothingHasHappened) {
  write_file(folder_("old"), "old content");
  put(open(folder_("old")), "new content");
  put(open(folder_("new")), "new content");
  EXPECT_EQ(content_of(folder_("old")), "old content");
  EXPECT_EQ(folder_.names(), Names({"old"}));
}

TEST_P(ReplacedFileTest, AnOldFileKeepsItsMode) {
  for (const mode_t mode : {0600, 0640, 0666, 0755, 04755}) {
    write_file(folder_("old"), "old content");
    chmod(folder_("old").c_str(), mode);
    ReplacedFile file = open(folder_("old"));
    put(file, "new");
    EXPECT_EQ(content_of(folder_("old")), "old content");
    file.commit();
    EXPECT_EQ(content_of(folder_("old")), "new");
    EXPECT_EQ(status_of(folder_("old")).st_mode & 07777, mode);
  }
  EXPECT_EQ(folder_.names(), Names({"old"}));
}

TEST_P(ReplacedFileTest, AnOldFileKeepsItsOwner) {
  write_file(folder_("old"), "old content");
  if (chown(folder_("old").c_str(), 1234, 5678) != 0) {
    GTEST_SKIP() << "only root may give files away, and not in every container";
  }
  chmod(folder_("old").c_str(), 04751);
  ReplacedFile file = open(folder_("old"));
  file.commit();
  EXPECT_EQ(status_of(folder_("old")).st_uid, 1234u);
  EXPECT_EQ(status_of(folder_("old")).st_gid, 5678u);
  EXPECT_EQ(status_of(folder_("old")).st_mode & 07777, 04751u);
}

constexpr const char* kAccessList = "system.posix_acl_access";
constexpr const char* kListOfNewFiles = "system.posix_acl_default";

/// As the kernel keeps it: user 1 and the owner may read and write, the group and others nothing,
/// which the mode of the file, 0660, does not show.
std::string list_of_user_1() {
  constexpr std::uint16_t kOwner = 1, kUser = 2, kGroup = 4, kMask = 16, kOther = 32;
  constexpr std::uint32_t kNoId = ~std::uint32_t{0};
  std::string list = {2, 0, 0, 0};
  const auto add = [&](std::uint16_t tag, std::uint16_t may, std::uint32_t id) {
    for (const std::uint16_t half : {tag, may})
      list.append(reinterpret_cast<const char*>(&half), 2);
    list.append(reinterpret_cast<const char*>(&id), 4);
  };
  add(kOwner, 6, kNoId);
  add(kUser, 6, 1);
  add(kGroup, 0, kNoId);
  add(kMask, 6, kNoId);
  add(kOther, 0, kNoId);
  return list;
}

std::string access_list(const std::string& path) {
  std::string list(1000, '\0');
  const ssize_t size = getxattr(path.c_str(), kAccessList, list.data(), list.size());
  return list.substr(0, static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
}

bool give_list(const std::string& path, const char* which) {
  const std::string list = list_of_user_1();
  return setxattr(path.c_str(), which, list.data(), list.size(), 0) == 0;
}

TEST_P(ReplacedFileTest, AnOldFileKeepsItsAccessList) {
  write_file(folder_("old"), "before");
  if (!give_list(folder_("old"), kAccessList)) GTEST_SKIP() << "no access lists in /tmp";
  ReplacedFile file = open(folder_("old"));
  put(file, "after");
  struct stat status = {};
  ASSERT_EQ(fstat(file.descriptor(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600) << "nobody looks at half a file";
  file.commit();
  EXPECT_EQ(content_of(folder_("old")), "after");
  EXPECT_EQ(access_list(folder_("old")), list_of_user_1());
  ASSERT_EQ(stat(folder_("old").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0660);
}

TEST_P(ReplacedFileTest, AnOldFileDoesNotGetTheAccessListOfItsFolder) {
  write_file(folder_("old"), "before");
  chmod(folder_("old").c_str(), 0660);
  if (!give_list(folder_(""), kListOfNewFiles)) GTEST_SKIP() << "no access lists in /tmp";
  ReplacedFile old = open(folder_("old"));
  ReplacedFile fresh = open(folder_("new"));
  old.commit();
  fresh.commit();
  EXPECT_EQ(access_list(folder_("old")), "");
  EXPECT_EQ(access_list(folder_("new")), list_of_user_1());
}

TEST_P(ReplacedFileTest, ANewFileGetsItsModeFromTheUmask) {
  const mode_t before = umask(027);
  ReplacedFile file = open(folder_("new"));
  umask(before);
  file.commit();
  EXPECT_EQ(status_of(folder_("new")).st_mode & 07777, 0640u);
}

TEST_P(ReplacedFileTest, LinksAreFollowedAndKept) {
  std::filesystem::create_directory(folder_("sub"));
  write_file(folder_("sub/target"), "old content");
  std::filesystem::create_symlink("sub/target", folder_("link"));
  std::filesystem::create_symlink(folder_("link"), folder_("link_to_link"));
  ReplacedFile file = open(folder_("link_to_link"));
  put(file, "new");
  file.commit();
  EXPECT_EQ(content_of(folder_("sub/target")), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder_("link")));
  EXPECT_TRUE(std::filesystem::is_symlink(folder_("link_to_link")));
  EXPECT_EQ(folder_.names(), Names({"sub", "link", "link_to_link"}));
}

TEST_P(ReplacedFileTest, ALinkToNothingMakesItsTarget) {
  std::filesystem::create_symlink("target", folder_("link"));
  ReplacedFile file = open(folder_("link"));
  put(file, "new");
  file.commit();
  EXPECT_EQ(content_of(folder_("target")), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder_("link")));
}

TEST_P(ReplacedFileTest, AFileThatAppearsMeanwhileIsReplaced) {
  ReplacedFile file = open(folder_("new"));
  put(file, "ours");
  write_file(folder_("new"), "somebody else's");
  file.commit();
  EXPECT_EQ(content_of(folder_("new")), "ours");
  EXPECT_EQ(folder_.names(), Names({"new"}));
}

TEST_P(ReplacedFileTest, AFileThatAppearsOrChangesMeanwhileKeepsWhatItHas) {
  for (const bool was_there : {false, true}) {
    if (was_there) write_file(folder_("secret"), "old");
    ReplacedFile file = open(folder_("secret"));
    put(file, "ours");
    write_file(folder_("secret"), "somebody else's");
    ASSERT_EQ(chmod(folder_("secret").c_str(), 0640), 0);
    const bool is_given = getuid() == 0 && chown(folder_("secret").c_str(), 12, 34) == 0;
    file.commit();
    const struct stat status = status_of(folder_("secret"));
    EXPECT_EQ(status.st_mode & 07777, 0640u);
    if (is_given) {
      EXPECT_EQ(status.st_uid, 12u);
      EXPECT_EQ(status.st_gid, 34u);
    }
    EXPECT_EQ(content_of(folder_("secret")), "ours");
    std::filesystem::remove(folder_("secret"));
  }
}

TEST_P(ReplacedFileTest, RefusalsNameThePath) {
  std::filesystem::create_symlink("loop", folder_("loop"));
  const auto say = [&](const std::string& path, const std::string& why) {
    EXPECT_EQ(refusal(path), path + ": " + why);
  };
  say(folder_("missing/file"), "the folder '" + folder_("missing") + "' does not exist");
  say(folder_("loop"), "Too many levels of symbolic links");
  say(folder_(), "Is a directory");
  say("", "No such file or directory");
  say(folder_(std::string(300, 'x')), "File name too long");
  EXPECT_EQ(folder_.names(), Names({"loop"}));
}

/// Root may write everywhere, so for its lifetime this makes root somebody else.
class NotRoot {
 public:
  NotRoot() : possible_(geteuid() != 0 || seteuid(65534) == 0) {}
  ~NotRoot() {
    if (getuid() == 0 && seteuid(0) != 0) std::abort();
  }
  bool possible() const { return possible_; }

 private:
  bool possible_;
};

TEST_P(ReplacedFileTest, AFileThatMayNotBeWrittenIsRefused) {
  write_file(folder_("old"), "old content");
  chmod(folder_("old").c_str(), 0444);
  chmod(folder_().c_str(), 0777);
  const NotRoot somebody;
  if (!somebody.possible()) GTEST_SKIP() << "root cannot become somebody else in this container";
  EXPECT_EQ(refusal(folder_("old")), folder_("old") + ": Permission denied");
  EXPECT_EQ(folder_.names(), Names({"old"}));
}

TEST_P(ReplacedFileTest, AFolderThatMayNotBeWrittenIsRefused) {
  write_file(folder_("old"), "old content");
  chmod(folder_("old").c_str(), 0666);
  chmod(folder_().c_str(), 0555);
  const NotRoot somebody;
  if (!somebody.possible()) GTEST_SKIP() << "root cannot become somebody else in this container";
  EXPECT_EQ(refusal(folder_("new")), folder_("new") + ": Permission denied");
  EXPECT_EQ(refusal(folder_("old")),
            "no new file can be made beside " + folder_("old") + ": Permission denied");
}

TEST_P(ReplacedFileTest, AFileWhoseOwnerCannotBeKeptIsRefused) {
  write_file(folder_("old"), "old content");
  chmod(folder_("old").c_str(), 0666);
  chmod(folder_().c_str(), 0777);
  const NotRoot somebody;
  if (getuid() != 0 || !somebody.possible()) GTEST_SKIP() << "needs files of two users";
  EXPECT_EQ(refusal(folder_("old")), folder_("old") +
                                         ": its owner and group cannot be kept by a new file in "
                                         "its place: Operation not permitted");
  EXPECT_EQ(folder_.names(), Names({"old"}));
}

/// Lowers the largest size of files for its lifetime.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit lower = {bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &lower);
  }
  ~FileSizeLimit() { setrlimit(RLIMIT_FSIZE, &before_); }

 private:
  rlimit before_ = {};
};

TEST_P(ReplacedFileTest, AReserveBeyondTheLimitIsRefused) {
  write_file(folder_("old"), "old content");
  {
    ReplacedFile file = open(folder_("old"));
    const FileSizeLimit limit(4096);
    file.reserve(4096);
    EXPECT_THROW(file.reserve(4097), std::system_error);
  }
  EXPECT_EQ(content_of(folder_("old")), "old content");
  EXPECT_EQ(folder_.names(), Names({"old"}));
}

TEST_P(ReplacedFileTest, AFolderThatCannotBeFlushedIsToldWithWhatHasHappened) {
  ReplacedFile file = open(folder_("new"));
  put(file, "content");
  folders_can_be_flushed = false;
  const std::string said = thrown<std::system_error>([&] { file.commit(); });
  folders_can_be_flushed = true;
  EXPECT_EQ(said, folder_("new") +
                      ": it is in its place, but a power cut may undo that: "
                      "Input/output error");
  EXPECT_EQ(content_of(folder_("new")), "content");
  EXPECT_EQ(folder_.names(), Names({"new"}));
}

TEST_P(ReplacedFileTest, WhatWasWrittenCanBeReadAgain) {
  const ReplacedFile file = open(folder_("new"));
  put(file, "content");
  std::string read(7, ' ');
  EXPECT_EQ(read_full_at(file.descriptor(), std::as_writable_bytes(std::span(read)), 0, "it"), 7u);
  EXPECT_EQ(read, "content");
}

TEST(HiddenName, IsThereBeforeTheCommitAndOnlyReadableByTheOwner) {
  const ScratchFolder folder;
  write_file(folder("old"), "old content");
  chmod(folder("old").c_str(), 0600);
  const ReplacedFile file(folder("old"), Temporary::kHiddenName);
  EXPECT_EQ(folder.names().size(), 2u);
  for (const std::string& name : folder.names()) {
    EXPECT_EQ(status_of(folder(name)).st_mode & 07777, 0600u) << name;
  }
}

TEST(SameTarget, WhateverThePathsAre) {
  const ScratchFolder folder;
  write_file(folder("old"), "old content");
  std::filesystem::create_directory(folder("below"));
  std::filesystem::create_symlink("new", folder("link"));
  const ReplacedFile file(folder("new"));
  EXPECT_TRUE(file.has_same_target(ReplacedFile(folder("below/../new"))));
  EXPECT_TRUE(file.has_same_target(ReplacedFile(folder("link"))));
  EXPECT_FALSE(file.has_same_target(ReplacedFile(folder("below/new"))));
  EXPECT_FALSE(file.has_same_target(ReplacedFile(folder("old"))));
  EXPECT_TRUE(ReplacedFile(folder("old")).has_same_target(ReplacedFile(folder("./old"))));
}

}  // namespace
}  // namespace postroom::cli
