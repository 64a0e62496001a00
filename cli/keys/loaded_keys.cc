#include "cli/keys/loaded_keys.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cli/files/ordered_writer.h"
#include "cli/keys/by_format.h"

namespace postroom::cli {
namespace {

// The most records of a piece of text, and about how many bytes it has.
constexpr std::size_t kPieceRecords = std::size_t{1} << 15;
constexpr std::size_t kPieceOfText = std::size_t{1} << 20;
constexpr std::size_t kPieceBytes = std::size_t{16} << 20;

void take_fingerprint(LoadedKeys& keys, bool wanted, Stopwatch& time) {
  if (!wanted) return;
  keys.fingerprint = fingerprint_of(keys);
  time.lap("fingerprint");
}

/// The line that begins at `place`, without its end.
std::string_view line_at(std::string_view text, std::size_t place) {
  return text.substr(place, line_end(text, place) - place);
}

void append(std::vector<char>& room, std::size_t& length, std::string_view line) {
  if (room.size() < length + line.size() + 1) room.resize(2 * (length + line.size() + 1));
  std::ranges::copy(line, room.begin() + static_cast<std::ptrdiff_t>(length));
  length += line.size();
  room[length++] = '\n';
}

/// Calls `make(records of the piece, room)` for pieces of the records, in parallel, and writes what
/// it makes. Pieces end at `ends`, which rise to the number of records.
template <class Record, class Make>
void store_text(const LoadedKeys& keys, const std::vector<std::size_t>& ends, ByteSink& sink,
                Progress& progress, const Make& make) {
  const std::span<const Record> records = keys.records.as<Record>();
  write_in_order(sink, ends.size(), [&](std::size_t piece, std::vector<char>& room) {
    const std::size_t first = piece == 0 ? 0 : ends[piece - 1];
    const std::size_t length = make(records.subspan(first, ends[piece] - first), room);
    progress.advance(length);
    return length;
  });
}

/// Where pieces of `most` records end.
std::vector<std::size_t> even_ends(std::size_t records, std::size_t most) {
  std::vector<std::size_t> ends;
  for (std::size_t end = 0; end < records;) ends.push_back(end = std::min(end + most, records));
  return ends;
}

/// Where pieces of about kPieceOfText end, also where a few lines are much longer than the others:
/// several pieces are in memory at a time. Each line is looked at once more, by all processors.
std::vector<std::size_t> ends_by_length(std::string_view text,
                                        std::span<const NumberedLine> lines) {
  constexpr std::size_t kShares = 64;
  std::vector<std::vector<std::size_t>> of_shares(kShares);
  tbb::parallel_for(std::size_t{0}, kShares, [&](std::size_t share) {
    const std::size_t end = lines.size() * (share + 1) / kShares;
    std::size_t bytes = 0;
    for (std::size_t i = lines.size() * share / kShares; i < end; ++i) {
      bytes += line_at(text, lines[i].place).size() + 1;
      if (bytes < kPieceOfText && i + 1 < end) continue;
      of_shares[share].push_back(i + 1);
      bytes = 0;
    }
  });
  std::vector<std::size_t> ends;
  for (const auto& of_share : of_shares) ends.insert(ends.end(), of_share.begin(), of_share.end());
  return ends;
}

void store_printed(const LoadedKeys& keys, ByteSink& sink, Progress& progress) {
  const bool is_unsigned = keys.layout.key == FileKey(KeyType::u64);
  const auto print = [&](std::span<const std::uint64_t> numbers, std::vector<char>& room) {
    room.resize(std::max(room.size(), printed_room(numbers.size())));
    return print_numbers(numbers, is_unsigned, room);
  };
  store_text<std::uint64_t>(keys, even_ends(keys.count(), kPieceRecords), sink, progress, print);
}

void store_lines(const LoadedKeys& keys, ByteSink& sink, Progress& progress) {
  const std::string_view text = characters(keys.text.bytes());
  const auto copy = [&](std::span<const NumberedLine> lines, std::vector<char>& room) {
    std::size_t length = 0;
    for (const NumberedLine& line : lines) append(room, length, line_at(text, line.place));
    return length;
  };
  const std::size_t average = text.size() / std::max<std::size_t>(keys.count(), 1) + 1;
  const std::size_t most = std::clamp<std::size_t>(kPieceOfText / average, 1, kPieceRecords);
  const bool differ = most * (keys.longest_line + 1) > 2 * kPieceOfText;
  store_text<NumberedLine>(keys,
                           differ ? ends_by_length(text, keys.records.as<NumberedLine>())
                                  : even_ends(keys.count(), most),
                           sink, progress, copy);
}

void store_raw(const LoadedKeys& keys, ByteSink& sink, Progress& progress) {
  std::span<const std::byte> bytes = keys.records.bytes();
  while (!bytes.empty()) {
    const auto piece = bytes.first(std::min(bytes.size(), kPieceBytes));
    sink.write(piece);
    progress.advance(piece.size());
    bytes = bytes.subspan(piece.size());
  }
}

}  // namespace

KeyFormat integers(bool is_unsigned, std::size_t record_bytes) {
  return {.key = is_unsigned ? KeyType::u64 : KeyType::i64, .record_bytes = record_bytes};
}

LoadedKeys load_records(Buffer bytes, const KeyFormat& format, bool fingerprint, Stopwatch& time) {
  LoadedKeys keys;
  keys.layout = format;
  keys.records = std::move(bytes);
  take_fingerprint(keys, fingerprint, time);
  return keys;
}

std::optional<LoadedKeys> load_lines(Buffer& text, const TextLines& lines,
                                     std::uint64_t memory_bytes, bool fingerprint,
                                     Stopwatch& time) {
  const std::string_view read = characters(text.bytes());
  const auto suffices_for = [&](std::size_t record_bytes) {
    return text.size() + memory_for(lines.chunks.lines, integers(false, record_bytes)) <=
           memory_bytes;
  };
  if (!suffices_for(sizeof(std::uint64_t))) return std::nullopt;
  LoadedKeys keys;
  if (fingerprint) {
    keys.fingerprint = fingerprint_of_lines(read, lines.chunks);
    time.lap("fingerprint");
  }
  TextNumbers numbers = parse_numbers(read, lines.chunks, lines.names, lines.first_line);
  keys.signs = std::move(numbers.signs);
  if (numbers.canonical) {
    keys.spelling = LoadedKeys::Spelling::kPrinted;
    keys.layout = integers(numbers.is_unsigned);
    keys.records = std::move(numbers.keys);
    text = Buffer();
  } else {
    if (!suffices_for(sizeof(NumberedLine))) return std::nullopt;
    numbers.keys = Buffer();
    keys.spelling = LoadedKeys::Spelling::kKept;
    keys.layout = integers(numbers.is_unsigned, sizeof(NumberedLine));
    keys.records = parse_numbered_lines(read, lines.chunks);
    keys.longest_line = longest_line(read, lines.chunks);
    keys.text = std::move(text);
  }
  time.lap("parse");
  return keys;
}

LoadedKeys load_made_keys(const DataSource& source, const KeyFormat& format, bool fingerprint,
                          Progress& progress, Stopwatch& time) {
  LoadedKeys keys;
  keys.layout = format.text ? integers(/*is_unsigned=*/false) : format;
  keys.spelling = format.text ? LoadedKeys::Spelling::kPrinted : LoadedKeys::Spelling::kRaw;
  keys.records = make_all_keys(source, std::get<KeyType>(keys.layout.key), progress);
  time.lap("make");
  take_fingerprint(keys, fingerprint, time);
  return keys;
}

std::uint64_t stored_bytes(const LoadedKeys& keys) {
  switch (keys.spelling) {
    case LoadedKeys::Spelling::kRaw:
      return keys.records.size();
    case LoadedKeys::Spelling::kPrinted:
      return printed_characters(keys.records.as<std::uint64_t>(),
                                keys.layout.key == FileKey(KeyType::u64));
    case LoadedKeys::Spelling::kKept:
      return printed_characters(characters(keys.text.bytes()));
  }
  return 0;
}

void store_keys(const LoadedKeys& keys, ByteSink& sink, Progress& progress) {
  switch (keys.spelling) {
    case LoadedKeys::Spelling::kRaw:
      return store_raw(keys, sink, progress);
    case LoadedKeys::Spelling::kPrinted:
      return store_printed(keys, sink, progress);
    case LoadedKeys::Spelling::kKept:
      return store_lines(keys, sink, progress);
  }
}

Fingerprint fingerprint_of(const LoadedKeys& keys) {
  switch (keys.spelling) {
    case LoadedKeys::Spelling::kRaw:
      return fingerprint_of_records(keys.records.bytes(), keys.layout.record_bytes);
    case LoadedKeys::Spelling::kPrinted: {
      const auto numbers = keys.records.as<std::uint64_t>();
      const bool is_unsigned = keys.layout.key == FileKey(KeyType::u64);
      return fingerprint_of_made_lines(
          numbers.size(), [&](std::size_t line, std::vector<char>& room) -> std::string_view {
            room.resize(printed_room(1));
            const std::size_t length = print_numbers(numbers.subspan(line, 1), is_unsigned, room);
            return {room.data(), length - 1};
          });
    }
    case LoadedKeys::Spelling::kKept: {
      const auto lines = keys.records.as<NumberedLine>();
      const std::string_view text = characters(keys.text.bytes());
      return fingerprint_of_made_lines(lines.size(), [&](std::size_t line, std::vector<char>&) {
        return line_at(text, lines[line].place);
      });
    }
  }
  return {};
}

double memory_for_each_byte(const KeyFormat& layout, SortAlgorithm algorithm) {
  constexpr std::size_t kRecords = std::size_t{1} << 24;
  const std::size_t scratch = least_scratch_bytes(kRecords, layout, {.algorithm = algorithm});
  return 1 + static_cast<double>(scratch) / static_cast<double>(kRecords * layout.record_bytes);
}

std::uint64_t memory_for(std::uint64_t records, const KeyFormat& layout, SortAlgorithm algorithm) {
  const double bytes = memory_for_each_byte(layout, algorithm) *
                       static_cast<double>(layout.record_bytes) * static_cast<double>(records);
  return static_cast<std::uint64_t>(std::min(bytes, 0x1p63));
}

}  // namespace postroom::cli
