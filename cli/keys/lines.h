// The lines of a text, cut into chunks that threads can work on by themselves.
//
// A line ends at '\n', which is no part of it; a last line without one counts too, an empty rest
// after the last '\n' does not. Chunks begin and end between lines and are numbered through.
// Cost: the text is read once, in parallel.
//
//   const LineChunks lines = chunk_lines(text);
//   for (const LineChunk& chunk : lines.chunks)
//     for_each_line(text, chunk, [](std::size_t number, std::string_view line) { … });
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

namespace postroom::cli {

struct LineChunk {
  std::size_t begin;       // offset of its first line
  std::size_t end;         // offset after the '\n' of its last one
  std::size_t first_line;  // number of its first line, from 0
};

struct LineChunks {
  std::vector<LineChunk> chunks;
  std::size_t lines;
};

/// Bytes that are text, as such.
inline std::string_view characters(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Chunks of about `chunk_bytes` each, longer where one line is; at least 1.
LineChunks chunk_lines(std::string_view text, std::size_t chunk_bytes = std::size_t{1} << 20);

/// How many bytes the longest line has, without its end. The text is read once, in parallel.
std::size_t longest_line(std::string_view text, const LineChunks& lines);

/// Offset of the end of the line that `place` is in: its '\n', or the end of the text.
inline std::size_t line_end(std::string_view text, std::size_t place) {
  return std::min(text.find('\n', place), text.size());
}

/// Those lines of a text that goes on that are there to their ends.
inline std::string_view whole_lines(std::string_view text) {
  return text.substr(0, text.rfind('\n') + 1);  // npos + 1 is 0
}

/// Calls `use(number, line)` for each line of the chunk, in order.
template <class Use>
void for_each_line(std::string_view text, const LineChunk& chunk, const Use& use) {
  std::size_t number = chunk.first_line;
  for (std::size_t place = chunk.begin; place < chunk.end; ++number) {
    const std::size_t end = line_end(text, place);
    use(number, text.substr(place, end - place));
    place = end + 1;
  }
}

/// The line of that number, counted from 0 at the beginning of `text`, without its end.
std::string_view line_of(std::string_view text, const LineChunks& lines, std::size_t number);

}  // namespace postroom::cli
