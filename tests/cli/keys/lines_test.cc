// Chunks of lines against a plain loop, for every cut of small texts.
#include "cli/keys/lines.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace postroom::cli {
namespace {

std::vector<std::string> plain_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::string line;
  for (const char character : text) {
    if (character == '\n') {
      lines.push_back(line);
      line.clear();
    } else {
      line += character;
    }
  }
  if (!line.empty()) lines.push_back(line);
  return lines;
}

std::vector<std::string> chunked_lines(const std::string& text, std::size_t chunk_bytes) {
  const LineChunks chunks = chunk_lines(text, chunk_bytes);
  std::vector<std::string> lines;
  std::size_t place = 0;
  for (const LineChunk& chunk : chunks.chunks) {
    EXPECT_EQ(chunk.begin, place);
    EXPECT_EQ(chunk.first_line, lines.size());
    place = chunk.end;
    for_each_line(text, chunk, [&](std::size_t number, std::string_view line) {
      EXPECT_EQ(number, lines.size());
      lines.emplace_back(line);
    });
  }
  EXPECT_EQ(place, text.size());
  EXPECT_EQ(chunks.lines, lines.size());
  return lines;
}

TEST(Lines, EveryTextOfSixCharactersAndEveryChunkSize) {
  for (int shape = 0; shape < 1 << 6; ++shape) {
    for (std::size_t length = 0; length <= 6; ++length) {
      std::string text;
      for (std::size_t i = 0; i < length; ++i) text += shape >> i & 1 ? '\n' : 'a';
      for (std::size_t chunk_bytes = 1; chunk_bytes <= 7; ++chunk_bytes) {
        EXPECT_EQ(chunked_lines(text, chunk_bytes), plain_lines(text))
            << ::testing::PrintToString(text) << " in chunks of " << chunk_bytes;
      }
    }
  }
}

TEST(Lines, LinesLongerThanChunks) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 50; ++round) {
    std::string text;
    for (int line = 0; line < 40; ++line) text += std::string(random() % 50, 'x') + '\n';
    EXPECT_EQ(chunked_lines(text, 1 + random() % 30), plain_lines(text)) << "round " << round;
  }
}

TEST(Lines, TheLongest) {
  const auto longest = [](const std::string& text, std::size_t chunk_bytes) {
    return longest_line(text, chunk_lines(text, chunk_bytes));
  };
  for (const std::size_t chunk_bytes : {1, 3, 100}) {
    EXPECT_EQ(longest("", chunk_bytes), 0u);
    EXPECT_EQ(longest("\n\n", chunk_bytes), 0u);
    EXPECT_EQ(longest("1\n22\n333\n1\n", chunk_bytes), 3u);
    EXPECT_EQ(longest("1\n22\n4444", chunk_bytes), 4u);
  }
}

TEST(Lines, AZeroChunkSizeIsOne) { EXPECT_EQ(chunk_lines("1\n2\n", 0).chunks.size(), 2u); }

}  // namespace
}  // namespace postroom::cli
