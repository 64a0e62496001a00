// Reading files and streams, alone and one after the other, whole and in chunks.
#include "cli/files/input.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>

#include "cli/common/failure.h"
#include "cli/keys/chunk_reader.h"
#include "cli/keys/inputs.h"
#include "tests/cli/scratch_folder.h"
#include "tests/thrown.h"

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

const KeyFormat kBytes{.key = KeyType::u8, .record_bytes = 1};
const KeyFormat kWords{.key = KeyType::u32, .record_bytes = 4};
const KeyFormat kText{.text = true};
constexpr std::uint64_t kNoLimit = std::uint64_t{1} << 60;

/// All that the inputs hold.
Buffer read_all(const std::vector<std::string>& paths, const KeyFormat& format = kBytes) {
  Progress progress(false);
  Inputs inputs(paths, format);
  Buffer read = inputs.read_up_to(kNoLimit, progress);
  EXPECT_TRUE(inputs.at_end());
  return read;
}

std::string refusal(const std::string& path) {
  return thrown<std::system_error>([&] { Input input{path}; });
}

// Around the pieces in which files are read (4 MiB) and the first room for streams (16 MiB).
constexpr std::size_t kSizes[] = {
    0, 1, 4095, 4097, (4u << 20) - 1, 4u << 20, (4u << 20) + 1, 16u << 20, (16u << 20) + 5};

TEST(Input, ReadsAFile) {
  const ScratchFolder folder;
  for (const std::size_t size : kSizes) {
    const std::string bytes = numbered_bytes(size);
    write_file(folder("in"), bytes);
    EXPECT_EQ(Input(folder("in")).size(), size);
    EXPECT_TRUE(text_of(read_all({folder("in")})) == bytes) << size;
  }
}

TEST(Input, ReadsAPipe) {
  const ScratchFolder folder;
  ASSERT_EQ(mkfifo(folder("pipe").c_str(), 0600), 0);
  for (const std::size_t size : kSizes) {
    const std::string bytes = numbered_bytes(size);
    std::thread writer([&] { write_file(folder("pipe"), bytes); });
    const Buffer read = read_all({folder("pipe")});
    writer.join();
    EXPECT_TRUE(text_of(read) == bytes) << size;
  }
}

TEST(Input, ReadsFilesWhoseSizeIsNotTold) {
  EXPECT_FALSE(text_of(read_all({"/proc/self/status"})).empty());
  // One that refuses to be asked for 4 MiB, and one that says that it has 4,096 bytes.
  for (const char* const path : {"/proc/sys/kernel/pid_max", "/sys/devices/system/cpu/online"}) {
    if (!std::ifstream(path)) continue;  // not everybody may see them
    EXPECT_EQ(text_of(read_all({path})), content_of(path));
  }
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
  Inputs inputs({folder("in")}, kBytes);
  ASSERT_EQ(truncate(folder("in").c_str(), 999), 0);
  EXPECT_EQ(thrown<std::runtime_error>([&] { inputs.read_up_to(kNoLimit, progress); }),
            folder("in") + ": ended after 999 of 1000 bytes; it got shorter while it was read");
}

TEST(Inputs, FollowEachOther) {
  const ScratchFolder folder;
  write_file(folder("a"), "aaaa");
  write_file(folder("b"), "");
  write_file(folder("c"), "cccccccc");
  EXPECT_EQ(text_of(read_all({folder("a"), folder("b"), folder("c")})), "aaaacccccccc");
  const Inputs inputs({folder("a"), folder("c")}, kWords);
  EXPECT_EQ(inputs.size(), 12u);
  EXPECT_EQ(inputs.name(), "2 files");
}

TEST(Inputs, LinesStayLines) {
  const ScratchFolder folder;
  write_file(folder("a"), "1\n2");
  write_file(folder("b"), "3\n");
  write_file(folder("c"), "");
  write_file(folder("d"), "4");
  EXPECT_EQ(text_of(read_all({folder("a"), folder("b"), folder("c"), folder("d")}, kText)),
            "1\n2\n3\n4\n");
}

TEST(Inputs, EachIsAWholeNumberOfRecords) {
  const ScratchFolder folder;
  write_file(folder("a"), "aaaaa");
  write_file(folder("b"), "bbb");
  const std::string said = thrown<UsageError>([&] {
    const Inputs inputs({folder("a"), folder("b")}, kWords);
  });
  EXPECT_TRUE(said.starts_with(folder("a") + ": its 5 bytes are no whole")) << said;
}

TEST(Inputs, ReadUpToALimit) {
  const ScratchFolder folder;
  Progress progress(false);
  const std::string bytes = numbered_bytes(100'000);
  write_file(folder("in"), bytes);
  Inputs inputs({folder("in")}, kBytes);
  EXPECT_TRUE(text_of(inputs.read_up_to(60'000, progress)) == bytes.substr(0, 60'000));
  EXPECT_FALSE(inputs.at_end());
  EXPECT_TRUE(text_of(inputs.read_up_to(60'000, progress)) == bytes.substr(60'000));
  EXPECT_TRUE(inputs.at_end());
  EXPECT_EQ(inputs.bytes_read(), 100'000u);
}

/// The chunks of a reader, of lines with the names of the first and the last one.
std::vector<std::string> chunks_of(ChunkReader reader, const KeyFormat& format,
                                   const ChunkLimits& limits) {
  Progress progress(false);
  Chunk chunk;
  std::vector<std::string> chunks;
  while (reader.next(chunk, limits, progress)) {
    chunks.push_back(text_of(chunk.bytes));
    if (!format.text) continue;
    const TextLines& lines = chunk.lines;
    chunks.back() += "from " + lines.names(lines.first_line) + " to " +
                     lines.names(lines.first_line + lines.chunks.lines - 1);
  }
  EXPECT_TRUE(reader.at_end());
  return chunks;
}

Buffer buffer_of(const std::string& text) {
  Buffer buffer(text.size());
  std::ranges::copy(text, buffer.as<char>().begin());
  return buffer;
}

using Chunks = std::vector<std::string>;

TEST(ChunkReader, WholeRecords) {
  const ScratchFolder folder;
  write_file(folder("a"), "aaaabbbbcccc");
  write_file(folder("b"), "ddddeeee");
  Inputs inputs({folder("a"), folder("b")}, kWords);
  EXPECT_EQ(chunks_of(ChunkReader(inputs, kWords), kWords, {.bytes = 11}),
            (Chunks{"aaaabbbb", "ccccdddd", "eeee"}));
}

TEST(ChunkReader, WholeLinesAndTheirNames) {
  const ScratchFolder folder;
  write_file(folder("a"), "1\n22\n333\n4");
  write_file(folder("b"), "55\n6\n");
  Inputs inputs({folder("a"), folder("b")}, kText);
  const std::string a = folder("a") + ": line ";
  const std::string b = folder("b") + ": line ";
  EXPECT_EQ(chunks_of(ChunkReader(inputs, kText), kText, {.bytes = 8}),
            (Chunks{"1\n22\nfrom " + a + "1 to " + a + "2", "333\n4\nfrom " + a + "3 to " + a + "4",
                    "55\n6\nfrom " + b + "1 to " + b + "2"}));
}

TEST(ChunkReader, NoMoreLinesThanAllowed) {
  const ScratchFolder folder;
  write_file(folder("a"), "1\n2\n3\n4\n5\n");
  Inputs inputs({folder("a")}, kText);
  const Chunks chunks = chunks_of(ChunkReader(inputs, kText), kText, {.bytes = 100, .lines = 2});
  ASSERT_EQ(chunks.size(), 3u);
  EXPECT_TRUE(chunks[0].starts_with("1\n2\nfrom")) << chunks[0];
  EXPECT_TRUE(chunks[1].starts_with("3\n4\nfrom")) << chunks[1];
  EXPECT_TRUE(chunks[2].starts_with("5\nfrom")) << chunks[2];
}

TEST(ChunkReader, WhatWasReadAlreadyComesFirst) {
  const ScratchFolder folder;
  write_file(folder("a"), "1\n22\n333\n4444\n");
  Inputs inputs({folder("a")}, kText);
  Progress progress(false);
  Buffer pending = inputs.read_up_to(7, progress);
  EXPECT_EQ(text_of(pending), "1\n22\n33");
  ChunkReader reader(inputs, kText, buffer_of("1\n22\n33"));
  EXPECT_EQ(reader.pending_bytes(), 7u);
  const Chunks chunks = chunks_of(std::move(reader), kText, {.bytes = 5});
  ASSERT_EQ(chunks.size(), 3u);
  EXPECT_TRUE(chunks[0].starts_with("1\n22\nfrom")) << chunks[0];
  EXPECT_TRUE(chunks[1].starts_with("333\nfrom")) << chunks[1];
  EXPECT_TRUE(chunks[2].starts_with("4444\nfrom")) << chunks[2];
}

TEST(ChunkReader, ALineLongerThanAChunkIsRefused) {
  const ScratchFolder folder;
  write_file(folder("a"), "1\n00000002\n");
  Inputs inputs({folder("a")}, kText);
  ChunkReader reader(inputs, kText);
  Progress progress(false);
  Chunk chunk;
  EXPECT_TRUE(reader.next(chunk, {.bytes = 5}, progress));
  EXPECT_EQ(thrown<UsageError>([&] { reader.next(chunk, {.bytes = 5}, progress); }),
            folder("a") + ": line 2 is longer than 5 bytes, which is all there is for it");
  write_file(folder("b"), "3\n00000004\n");
  Inputs two({folder("a"), folder("b")}, kText);
  ChunkReader of_two(two, kText);
  EXPECT_TRUE(of_two.next(chunk, {.bytes = 12}, progress));
  EXPECT_TRUE(of_two.next(chunk, {.bytes = 5}, progress));
  EXPECT_EQ(thrown<UsageError>([&] { of_two.next(chunk, {.bytes = 5}, progress); }),
            folder("b") + ": line 2 is longer than 5 bytes, which is all there is for it");
}

TEST(ChunkReader, GrowsForALongLine) {
  const ScratchFolder folder;
  write_file(folder("a"), "1\n123456789\n2\n");
  Inputs inputs({folder("a")}, kText);
  ChunkReader reader(inputs, kText);
  Progress progress(false);
  Chunk chunk;
  std::vector<std::string> chunks;
  while (reader.next(chunk, {.bytes = 4, .longest = 10}, progress)) {
    chunks.emplace_back(characters(chunk.bytes.bytes()));
  }
  EXPECT_EQ(chunks, std::vector<std::string>({"1\n", "123456789\n", "2\n"}));

  write_file(folder("b"), "1\n1234567890\n2\n");
  Inputs longer({folder("b")}, kText);
  ChunkReader of_longer(longer, kText);
  EXPECT_TRUE(of_longer.next(chunk, {.bytes = 4, .longest = 10}, progress));
  EXPECT_EQ(
      thrown<UsageError>([&] { of_longer.next(chunk, {.bytes = 4, .longest = 10}, progress); }),
      folder("b") + ": line 2 is longer than 10 bytes, which is all there is for it");
}

}  // namespace
}  // namespace postroom::cli
