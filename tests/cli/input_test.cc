// Reading whole files and streams.
#include "cli/input.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>

#include "tests/cli/scratch_folder.h"

namespace postroom::cli {
namespace {

/// Bytes that show where they were.
std::string numbered_bytes(std::size_t count) {
  std::string bytes(count, ' ');
  for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<char>(i * 37 + (i >> 8) * 11);
  return bytes;
}

std::string text_of(const Buffer& buffer) {
  const auto text = buffer.as<char>();
  return {text.begin(), text.end()};
}

std::string refusal(const std::string& path) {
  try {
    Input input{path};
  } catch (const std::system_error& error) {
    return error.what();
  }
  return "accepted";
}

// Around the pieces in which files are read (4 MiB) and the first room for streams (16 MiB).
constexpr std::size_t kSizes[] = {
    0, 1, 4095, 4097, (4u << 20) - 1, 4u << 20, (4u << 20) + 1, 16u << 20, (16u << 20) + 5};

TEST(Input, ReadsAFile) {
  const ScratchFolder folder;
  Progress progress(false);
  for (const std::size_t size : kSizes) {
    const std::string bytes = numbered_bytes(size);
    write_file(folder("in"), bytes);
    Input input(folder("in"));
    EXPECT_EQ(input.size(), size);
    EXPECT_TRUE(text_of(input.read(2, progress)) == bytes) << size;
  }
}

TEST(Input, ReadsAPipe) {
  const ScratchFolder folder;
  Progress progress(false);
  ASSERT_EQ(mkfifo(folder("pipe").c_str(), 0600), 0);
  for (const std::size_t size : kSizes) {
    const std::string bytes = numbered_bytes(size);
    std::thread writer([&] { write_file(folder("pipe"), bytes); });
    Input input(folder("pipe"));
    EXPECT_EQ(input.size(), std::nullopt);
    const Buffer read = input.read(2, progress);
    writer.join();
    EXPECT_TRUE(text_of(read) == bytes) << size;
  }
}

TEST(Input, ReadsFilesWhoseSizeIsNotTold) {
  Progress progress(false);
  EXPECT_FALSE(text_of(Input("/proc/self/status").read(1, progress)).empty());
}

TEST(Input, RefusalsNameThePath) {
  const ScratchFolder folder;
  EXPECT_EQ(refusal(folder("missing")), folder("missing") + ": No such file or directory");
  EXPECT_EQ(refusal(folder()), folder() + ": Is a directory");
}

TEST(Input, AFileThatGotShorterIsRefused) {
  const ScratchFolder folder;
  Progress progress(false);
  write_file(folder("in"), numbered_bytes(1000));
  Input input(folder("in"));
  ASSERT_EQ(truncate(folder("in").c_str(), 999), 0);
  try {
    input.read(2, progress);
    ADD_FAILURE() << "accepted";
  } catch (const std::runtime_error& error) {
    EXPECT_EQ(error.what(),
              folder("in") + ": ended after 999 of 1000 bytes; it got shorter while it was read");
  }
}

TEST(Input, MoreThanTheMemoryIsRefusedBeforeItIsTaken) {
  const ScratchFolder folder;
  Progress progress(false);
  write_file(folder("in"), "");
  ASSERT_EQ(truncate(folder("in").c_str(), 1 << 20), 0);
  Input input(folder("in"));
  try {
    input.read(1e12, progress);
    ADD_FAILURE() << "accepted";
  } catch (const std::runtime_error& error) {
    const std::string line = error.what();
    EXPECT_TRUE(line.starts_with(folder("in") + ": needs 931 PiB of memory, ")) << line;
    EXPECT_TRUE(line.ends_with(" available")) << line;
  }
}

}  // namespace
}  // namespace postroom::cli
