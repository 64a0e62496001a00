#include "cli/loaded_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cli/failure.h"
#include "cli/lines.h"
#include "cli/memory_check.h"
#include "cli/ordered_writer.h"
#include "cli/text_numbers.h"
#include "sort/options.h"

namespace postroom::cli {
namespace {

constexpr std::size_t kPieceRecords = std::size_t{1} << 15;
constexpr std::size_t kPieceBytes = std::size_t{16} << 20;

std::string_view characters(const Buffer& text) { return {text.as<char>().data(), text.size()}; }

/// How much memory each byte of records takes, the byte itself included.
double memory_for_each_byte(std::size_t record_bytes, bool sorting) {
  if (!sorting) return 1;
  constexpr std::size_t kRecords = std::size_t{1} << 24;
  const std::size_t scratch = scratch_bytes(kRecords, record_bytes);
  return 1 + static_cast<double>(scratch) / static_cast<double>(kRecords * record_bytes);
}

KeyFormat integers(bool is_unsigned, std::size_t record_bytes) {
  return {.key = is_unsigned ? KeyType::u64 : KeyType::i64, .record_bytes = record_bytes};
}

void take_fingerprint(LoadedKeys& keys, const LoadWishes& wishes, Stopwatch& time) {
  if (!wishes.fingerprint) return;
  keys.fingerprint = fingerprint_of(keys);
  time.lap("fingerprint");
}

LoadedKeys load_raw(Input& input, const KeyFormat& format, const LoadWishes& wishes,
                    Progress& progress, Stopwatch& time) {
  if (input.size()) records_in(*input.size(), format, input.name());
  LoadedKeys keys;
  keys.layout = format;
  keys.records = input.read(memory_for_each_byte(format.record_bytes, wishes.sorting), progress);
  keys.input_bytes = keys.records.size();
  records_in(keys.input_bytes, format, input.name());
  time.lap("read");
  take_fingerprint(keys, wishes, time);
  return keys;
}

/// The keys of `text`, which belongs to the result if its lines are spelled unusually.
LoadedKeys parse_text(Buffer text, const std::string& name, const LoadWishes& wishes,
                      Stopwatch& time) {
  const LineChunks lines = chunk_lines(characters(text));
  const auto require_memory = [&](std::size_t record_bytes) {
    check_memory(name, memory_for(lines.lines, record_bytes, wishes.sorting), text.size());
  };
  require_memory(sizeof(std::uint64_t));
  LoadedKeys keys;
  keys.input_bytes = text.size();
  if (wishes.fingerprint) {
    keys.fingerprint = fingerprint_of_lines(characters(text), lines);
    time.lap("fingerprint");
  }
  TextNumbers numbers = parse_numbers(characters(text), lines);
  if (numbers.canonical) {
    keys.spelling = LoadedKeys::Spelling::kPrinted;
    keys.layout = integers(numbers.is_unsigned, sizeof(std::uint64_t));
    keys.records = std::move(numbers.keys);
    return keys;
  }
  numbers.keys = Buffer();
  require_memory(sizeof(NumberedLine));
  keys.spelling = LoadedKeys::Spelling::kKept;
  keys.layout = integers(numbers.is_unsigned, sizeof(NumberedLine));
  keys.records = parse_numbered_lines(characters(text), lines);
  keys.text = std::move(text);
  return keys;
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
/// it makes.
template <class Record, class Make>
void store_text(const LoadedKeys& keys, Output& output, Progress& progress, const Make& make) {
  const std::span<const Record> records = keys.records.as<Record>();
  const std::size_t pieces = (records.size() + kPieceRecords - 1) / kPieceRecords;
  write_in_order(output, pieces, [&](std::size_t piece, std::vector<char>& room) {
    const std::size_t first = piece * kPieceRecords;
    const auto own = records.subspan(first, std::min(kPieceRecords, records.size() - first));
    const std::size_t length = make(own, room);
    progress.advance(length);
    return length;
  });
}

void store_printed(const LoadedKeys& keys, Output& output, Progress& progress) {
  const bool is_unsigned = keys.layout.key == KeyType::u64;
  using Numbers = std::span<const std::uint64_t>;
  store_text<std::uint64_t>(keys, output, progress, [&](Numbers numbers, std::vector<char>& room) {
    room.resize(std::max(room.size(), printed_room(numbers.size())));
    return print_numbers(numbers, is_unsigned, room);
  });
}

void store_lines(const LoadedKeys& keys, Output& output, Progress& progress) {
  const std::string_view text = characters(keys.text);
  using Lines = std::span<const NumberedLine>;
  store_text<NumberedLine>(keys, output, progress, [&](Lines lines, std::vector<char>& room) {
    std::size_t length = 0;
    for (const NumberedLine& line : lines) append(room, length, line_at(text, line.place));
    return length;
  });
}

void store_raw(const LoadedKeys& keys, Output& output, Progress& progress) {
  std::span<const std::byte> bytes = keys.records.bytes();
  while (!bytes.empty()) {
    const auto piece = bytes.first(std::min(bytes.size(), kPieceBytes));
    output.write(piece);
    progress.advance(piece.size());
    bytes = bytes.subspan(piece.size());
  }
}

}  // namespace

LoadedKeys load_keys(Input& input, const KeyFormat& format, const LoadWishes& wishes,
                     Progress& progress, Stopwatch& time) {
  if (!format.text) return load_raw(input, format, wishes, progress, time);
  Buffer text = input.read(/*memory_for_each=*/1, progress);
  time.lap("read");
  try {
    LoadedKeys keys = parse_text(std::move(text), input.name(), wishes, time);
    time.lap("parse");
    return keys;
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}: {}", input.name(), error.what()));
  }
}

LoadedKeys load_made_keys(const DataSource& source, const KeyFormat& format,
                          const LoadWishes& wishes, Progress& progress, Stopwatch& time) {
  LoadedKeys keys;
  keys.layout = format.text ? integers(/*is_unsigned=*/false, sizeof(std::uint64_t)) : format;
  keys.spelling = format.text ? LoadedKeys::Spelling::kPrinted : LoadedKeys::Spelling::kRaw;
  check_memory(fmt::format("--random {}", source.keys),
               memory_for(source.keys, keys.layout.record_bytes, wishes.sorting));
  keys.records = make_all_keys(source, keys.layout.key, progress);
  keys.input_bytes = keys.records.size();
  time.lap("make");
  take_fingerprint(keys, wishes, time);
  return keys;
}

std::uint64_t stored_bytes(const LoadedKeys& keys) {
  switch (keys.spelling) {
    case LoadedKeys::Spelling::kRaw:
      return keys.records.size();
    case LoadedKeys::Spelling::kPrinted:
      return printed_characters(keys.records.as<std::uint64_t>(), keys.layout.key == KeyType::u64);
    case LoadedKeys::Spelling::kKept:
      return printed_characters(characters(keys.text));
  }
  return 0;
}

void store_keys(const LoadedKeys& keys, Output& output, Progress& progress) {
  progress.begin("writing", stored_bytes(keys));
  switch (keys.spelling) {
    case LoadedKeys::Spelling::kRaw:
      return store_raw(keys, output, progress);
    case LoadedKeys::Spelling::kPrinted:
      return store_printed(keys, output, progress);
    case LoadedKeys::Spelling::kKept:
      return store_lines(keys, output, progress);
  }
}

Fingerprint fingerprint_of(const LoadedKeys& keys) {
  switch (keys.spelling) {
    case LoadedKeys::Spelling::kRaw:
      return fingerprint_of_records(keys.records.bytes(), keys.layout.record_bytes);
    case LoadedKeys::Spelling::kPrinted: {
      const auto numbers = keys.records.as<std::uint64_t>();
      const bool is_unsigned = keys.layout.key == KeyType::u64;
      return fingerprint_of_made_lines(
          numbers.size(), [&](std::size_t line, std::vector<char>& room) -> std::string_view {
            room.resize(printed_room(1));
            const std::size_t length = print_numbers(numbers.subspan(line, 1), is_unsigned, room);
            return {room.data(), length - 1};
          });
    }
    case LoadedKeys::Spelling::kKept: {
      const auto lines = keys.records.as<NumberedLine>();
      const std::string_view text = characters(keys.text);
      return fingerprint_of_made_lines(lines.size(), [&](std::size_t line, std::vector<char>&) {
        return line_at(text, lines[line].place);
      });
    }
  }
  return {};
}

std::string in_words(const LoadedKeys& keys, std::size_t record) {
  if (keys.spelling == LoadedKeys::Spelling::kKept) {
    const std::size_t place = keys.records.as<NumberedLine>()[record].place;
    return one_line(line_at(characters(keys.text), place));
  }
  const std::byte* const key =
      keys.records.bytes().data() + record * keys.layout.record_bytes + keys.layout.key_offset;
  return key_in_words(key, keys.layout.key);
}

std::uint64_t memory_for(std::uint64_t records, std::size_t record_bytes, bool sorting) {
  const double bytes = memory_for_each_byte(record_bytes, sorting) *
                       static_cast<double>(record_bytes) * static_cast<double>(records);
  return static_cast<std::uint64_t>(std::min(bytes, 0x1p63));
}

}  // namespace postroom::cli
