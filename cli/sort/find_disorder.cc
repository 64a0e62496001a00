#include "cli/sort/find_disorder.h"

#include <algorithm>
#include <string_view>

#include "cli/common/failure.h"
#include "cli/keys/chunk_reader.h"
#include "cli/keys/lines.h"
#include "cli/keys/order_check.h"
#include "cli/keys/text_numbers.h"

namespace postroom::cli {
namespace {

/// Bytes of a line.
constexpr std::size_t kMostShown = 80;

/// Larger ones make it no faster.
constexpr std::uint64_t kMostBytes = std::uint64_t{16} << 20;
constexpr std::uint64_t kMostLines = std::uint64_t{1} << 20;
// Of each line its number is held, and which line it is.
constexpr std::uint64_t kBytesOfLine = 16;

/// A quarter for the chunk, one for what is carried to the next, one for the numbers of its lines;
/// the rest is not needed.
ChunkLimits limits_within(std::uint64_t memory_bytes) {
  const std::uint64_t quarter = memory_bytes / 4;
  return {.bytes = std::min(quarter, kMostBytes),
          .lines = std::min(quarter / kBytesOfLine, kMostLines),
          .longest = quarter};
}

class Search {
 public:
  Search(const KeyFormat& format, const SortOptions& options) : format_(format), order_(options) {}

  std::optional<FoundDisorder> look_at(const Chunk& chunk) {
    return format_.text ? look_at_lines(chunk) : look_at_records(chunk);
  }

 private:
  std::optional<FoundDisorder> look_at_records(const Chunk& chunk) {
    const auto bytes = chunk.bytes.bytes();
    const std::uint64_t first = records_;
    records_ += bytes.size() / format_.record_bytes;
    const std::optional<std::size_t> disorder = order_.records(bytes, format_);
    if (!disorder) return std::nullopt;
    const std::byte* const record = bytes.data() + *disorder * format_.record_bytes;
    return FoundDisorder{first + *disorder, key_in_words(record, format_)};
  }

  std::optional<FoundDisorder> look_at_lines(const Chunk& chunk) {
    const std::string_view text = characters(chunk.bytes.bytes());
    const TextLines& lines = chunk.lines;
    const TextNumbers numbers = parse_numbers(text, lines.chunks, lines.names, lines.first_line);
    signs_.add(numbers.signs);
    refuse_mixed(signs_, lines.names);
    const std::optional<std::size_t> disorder = order_.numbers(numbers);
    if (!disorder) return std::nullopt;
    return FoundDisorder{lines.first_line + *disorder,
                         one_line(line_of(text, lines.chunks, *disorder), kMostShown)};
  }

  const KeyFormat& format_;
  OrderCheck order_;
  std::uint64_t records_ = 0;
  SignLines signs_;
};

}  // namespace

std::optional<FoundDisorder> find_disorder(Inputs& inputs, const KeyFormat& format,
                                           const SortOptions& options, std::uint64_t memory_bytes,
                                           Progress& progress) {
  const ChunkLimits limits = limits_within(memory_bytes);
  ChunkReader reader(inputs, format);
  Search search(format, options);
  Chunk chunk;
  progress.begin("reading", inputs.size().value_or(0));
  while (reader.next(chunk, limits, progress)) {
    if (auto disorder = search.look_at(chunk)) return disorder;
  }
  return std::nullopt;
}

}  // namespace postroom::cli
