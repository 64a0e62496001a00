// A file read by its path: the same bytes as by its descriptor, and no other file's.
#include "cli/files/stored_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <span>
#include <stdexcept>
#include <string>
#include <system_error>

#include "cli/files/descriptor.h"
#include "tests/cli/scratch_folder.h"
#include "tests/thrown.h"

namespace postroom::cli {
namespace {

std::string read(const StoredFile& file, std::size_t offset, std::size_t bytes) {
  std::string text(bytes, ' ');
  text.resize(file.read_full_at(std::as_writable_bytes(std::span(text)), offset, "it"));
  return text;
}

TEST(StoredFile, IsOpenOnlyWhileItIsRead) {
  const ScratchFolder folder;
  write_file(folder("a"), "0123456789");
  const StoredFile file(folder("a"), id_of(status_of(folder("a"))));
  for (int i = 0; i < 3; ++i) {
    file.expect(0, 10);
    EXPECT_EQ(read(file, 3, 4), "3456");
    EXPECT_EQ(read(file, 8, 4), "89");
  }
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code gone;  // that of the iterator itself
    EXPECT_NE(std::filesystem::read_symlink(entry.path(), gone), folder("a"));
  }
}

TEST(StoredFile, AnotherFileInItsPlaceIsRefused) {
  const ScratchFolder folder;
  write_file(folder("a"), "0123456789");
  write_file(folder("b"), "abcdefghij");
  const StoredFile file(folder("a"), id_of(status_of(folder("a"))));
  std::filesystem::create_hard_link(folder("a"), folder("kept"));  // so that its number is taken
  std::filesystem::rename(folder("b"), folder("a"));
  const std::string other = "it: another file took its place while it was read";
  EXPECT_EQ(thrown<std::runtime_error>([&] { read(file, 0, 1); }), other);
  std::filesystem::remove(folder("a"));
  file.expect(0, 1);
  EXPECT_EQ(thrown<std::system_error>([&] { read(file, 0, 1); }), "it: No such file or directory");
  ASSERT_EQ(mkfifo(folder("a").c_str(), 0600), 0);
  EXPECT_EQ(thrown<std::runtime_error>([&] { read(file, 0, 1); }), other);
}

}  // namespace
}  // namespace postroom::cli
