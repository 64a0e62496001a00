// Outputs that are files and outputs that are not; pieces written in their order.
#include "cli/files/output.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "cli/files/ordered_writer.h"
#include "tests/cli/scratch_folder.h"
#include "tests/thrown.h"

namespace {

// What the system says while a test says so; 0: the truth.
int fsync_error = 0;
int close_error = 0;

int failed(int error) {
  errno = error;
  return -1;
}

}  // namespace

// In place of those of the system.
int fsync(int descriptor) {
  return fsync_error != 0 ? failed(fsync_error) : static_cast<int>(syscall(SYS_fsync, descriptor));
}
int close(int descriptor) {
  const int result = static_cast<int>(syscall(SYS_close, descriptor));
  return close_error != 0 ? failed(close_error) : result;
}

namespace postroom::cli {
namespace {

void put(Output& output, const std::string& text) { output.write(std::as_bytes(std::span(text))); }

TEST(Output, AFileAppearsWhenItIsFinished) {
  const ScratchFolder folder;
  Output output(folder("out"));
  put(output, "one ");
  put(output, "two");
  EXPECT_EQ(output.written_bytes(), 7u);
  EXPECT_GE(output.rereadable_descriptor(), 0);
  EXPECT_TRUE(folder.names().empty());
  output.finish();
  EXPECT_EQ(content_of(folder("out")), "one two");
}

TEST(Output, MoreThanOneFlushedPiece) {
  const ScratchFolder folder;
  std::string bytes(40'000'000, ' ');
  for (std::size_t i = 0; i < bytes.size(); i += 1000) bytes[i] = static_cast<char>(i / 1000);
  Output output(folder("out"));
  output.reserve(bytes.size());
  put(output, bytes);
  output.finish();
  EXPECT_TRUE(content_of(folder("out")) == bytes);
}

TEST(Output, APipeIsWrittenAsItComes) {
  const ScratchFolder folder;
  ASSERT_EQ(mkfifo(folder("pipe").c_str(), 0600), 0);
  std::string read;
  std::thread reader([&] { read = content_of(folder("pipe")); });
  {
    Output output(folder("pipe"));
    EXPECT_EQ(output.rereadable_descriptor(), -1);
    output.reserve(1 << 20);
    put(output, "text");
    output.finish();
  }
  reader.join();
  EXPECT_EQ(read, "text");
  EXPECT_TRUE(S_ISFIFO(status_of(folder("pipe")).st_mode));
}

TEST(Output, AFullDeviceIsAnError) {
  Output output("/dev/full");
  EXPECT_EQ(thrown<std::system_error>([&] { put(output, "text"); }),
            "/dev/full: No space left on device");
}

TEST(Output, WhatIsToldLateIsAnErrorOfAStreamToo) {
  const ScratchFolder folder;
  write_file(folder("file"), "");
  const Descriptor file(::open(folder("file").c_str(), O_WRONLY));  // as if it had been given
  const std::string own = "/dev/fd/" + std::to_string(file.get());
  for (const auto& [path, name] :
       {std::pair<std::string, std::string>("-", "standard output"), {own, own}}) {
    Output output(path);
    EXPECT_NO_THROW(output.finish());
    fsync_error = EIO;
    EXPECT_EQ(thrown<std::system_error>([&] { output.finish(); }), name + ": Input/output error");
    fsync_error = EINVAL;  // a pipe
    EXPECT_NO_THROW(output.finish());
    fsync_error = 0;
    close_error = EDQUOT;
    EXPECT_EQ(thrown<std::system_error>([&] { output.finish(); }), name + ": Disk quota exceeded");
    close_error = 0;
  }
}

TEST(Output, WhatIsToldLateLeavesTheFormerFile) {
  const ScratchFolder folder;
  for (int* const error : {&fsync_error, &close_error}) {
    write_file(folder("file"), "former");
    {
      Output output(folder("file"));
      put(output, "new");
      *error = EDQUOT;
      EXPECT_EQ(thrown<std::system_error>([&] { output.finish(); }),
                folder("file") + ": Disk quota exceeded");
      *error = 0;
    }
    EXPECT_EQ(content_of(folder("file")), "former");
    EXPECT_EQ(folder.names().size(), 1u);
  }
}

TEST(Output, AFolderIsRefused) {
  const ScratchFolder folder;
  EXPECT_THROW(Output{folder()}, std::system_error);
}

TEST(Output, AnOpenFileUnderAnotherNameIsWrittenInPlace) {
  // As /dev/stdout is, when the shell has redirected it to a file that is removed.
  const ScratchFolder folder;
  write_file(folder("gone"), "");
  const Descriptor descriptor(::open(folder("gone").c_str(), O_RDWR));
  std::filesystem::remove(folder("gone"));
  Output output("/proc/self/fd/" + std::to_string(descriptor.get()));
  put(output, "text");
  output.finish();
  std::string read(4, ' ');
  EXPECT_EQ(pread(descriptor.get(), read.data(), 4, 0), 4);
  EXPECT_EQ(read, "text");
  EXPECT_TRUE(folder.names().empty());
}

// Its number may be that of any file that the command works with.
TEST(Output, WhatThisProcessHasOpenedItselfIsNotGivenToIt) {
  const ScratchFolder folder;
  const Descriptor own(::open(folder("own").c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600));
  const std::string path = "/dev/fd/" + std::to_string(own.get());
  EXPECT_EQ(thrown<std::system_error>([&] { Output output(path); }),
            path + ": Bad file descriptor");
}

TEST(WriteInOrder, KeepsTheOrderOfUnequalPieces) {
  const ScratchFolder folder;
  const auto piece_text = [](std::size_t piece) {
    return std::string(piece * 7919 % 5000, static_cast<char>('a' + piece % 26)) +
           std::to_string(piece) + "\n";
  };
  for (const std::size_t pieces : {0, 1, 2, 300}) {
    std::string expected;
    for (std::size_t piece = 0; piece < pieces; ++piece) expected += piece_text(piece);
    Output output(folder("out"));
    write_in_order(output, pieces, [&](std::size_t piece, std::vector<char>& room) {
      const std::string text = piece_text(piece);
      room.resize(std::max(room.size(), text.size()));
      text.copy(room.data(), text.size());
      return text.size();
    });
    output.finish();
    EXPECT_TRUE(content_of(folder("out")) == expected) << pieces;
  }
}

TEST(WriteInOrder, LetsTheMakersExceptionThrough) {
  const ScratchFolder folder;
  Output output(folder("out"));
  const auto make = [](std::size_t piece, std::vector<char>& room) -> std::size_t {
    room.resize(10);
    if (piece == 50) throw std::runtime_error("piece 50");
    return 10;
  };
  EXPECT_THROW(write_in_order(output, 100, make), std::runtime_error);
}

TEST(WriteInOrder, LetsTheOutputsErrorThrough) {
  Output output("/dev/full");
  const auto make = [](std::size_t, std::vector<char>& room) -> std::size_t {
    room.resize(10);
    return 10;
  };
  EXPECT_THROW(write_in_order(output, 100, make), std::system_error);
}

}  // namespace
}  // namespace postroom::cli
