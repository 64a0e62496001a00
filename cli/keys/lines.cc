#include "cli/keys/lines.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>

namespace postroom::cli {
namespace {

std::size_t count_lines(std::string_view text) {
  const auto ends = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  const bool last_is_open = !text.empty() && text.back() != '\n';
  return ends + (last_is_open ? 1 : 0);
}

/// Where the chunks begin, and the end of the text. A border in mid-line moves to the line's end.
std::vector<std::size_t> chunk_borders(std::string_view text, std::size_t chunk_bytes) {
  std::vector<std::size_t> borders = {0};
  while (borders.back() < text.size()) {
    const std::size_t wanted = borders.back() + chunk_bytes;
    borders.push_back(wanted >= text.size()
                          ? text.size()
                          : std::min(line_end(text, wanted - 1) + 1, text.size()));
  }
  return borders;
}

}  // namespace

LineChunks chunk_lines(std::string_view text, std::size_t chunk_bytes) {
  const std::vector<std::size_t> borders =
      chunk_borders(text, std::max<std::size_t>(chunk_bytes, 1));
  LineChunks result{std::vector<LineChunk>(borders.size() - 1), 0};
  tbb::parallel_for(std::size_t{0}, result.chunks.size(), [&](std::size_t chunk) {
    const std::size_t begin = borders[chunk];
    const std::size_t end = borders[chunk + 1];
    result.chunks[chunk] = {begin, end, count_lines(text.substr(begin, end - begin))};
  });
  for (LineChunk& chunk : result.chunks) {
    const std::size_t lines = chunk.first_line;
    chunk.first_line = result.lines;
    result.lines += lines;
  }
  return result;
}

std::size_t longest_line(std::string_view text, const LineChunks& lines) {
  using Range = tbb::blocked_range<std::size_t>;
  return tbb::parallel_reduce(
      Range(0, lines.chunks.size()), std::size_t{0},
      [&](const Range& range, std::size_t longest) {
        for (std::size_t chunk = range.begin(); chunk != range.end(); ++chunk) {
          for_each_line(text, lines.chunks[chunk], [&](std::size_t, std::string_view line) {
            longest = std::max(longest, line.size());
          });
        }
        return longest;
      },
      [](std::size_t a, std::size_t b) { return std::max(a, b); });
}

std::string_view line_of(std::string_view text, const LineChunks& lines, std::size_t number) {
  auto chunk = lines.chunks.begin();
  while (chunk + 1 != lines.chunks.end() && (chunk + 1)->first_line <= number) ++chunk;
  std::string_view found;
  for_each_line(text, *chunk, [&](std::size_t line, std::string_view content) {
    if (line == number) found = content;
  });
  return found;
}

}  // namespace postroom::cli
