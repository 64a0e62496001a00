#include "cli/sort/generate_command.h"

#include <algorithm>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "cli/common/command_line.h"
#include "cli/common/failure.h"
#include "cli/files/ordered_writer.h"
#include "cli/files/output.h"
#include "cli/keys/data_source.h"
#include "cli/keys/key_format.h"
#include "cli/keys/text_numbers.h"
#include "numa/rounding.h"

namespace postroom::cli {
namespace {

constexpr std::size_t kPieceKeys = std::size_t{1} << 16;
constexpr const char* kSummary = "Makes a file of keys, to try the sort on.";
constexpr const char* kFooter =
    "Without --type the end of the output's name tells. Text holds signed 64-bit integers.\n\n"
    "  postroom generate 100000000 -o keys.u64\n"
    "  postroom generate 1000000 --type text --distribution zipf --seed 7 > numbers.txt";

struct Words {
  std::optional<std::string> count, output, type, distribution, seed;
};

void declare(CommandLine& line, Words& words) {
  line.operand(words.count, "N", "how many keys");
  line.value("-o,--output", words.output, "FILE",
             "where to write; '-' or nothing: standard output");
  line.value("--type", words.type, "TYPE",
             "u8, u16, u32, u64, i8, i16, i32, i64, f32, f64 (raw, little-endian) or text");
  line.value("--distribution", words.distribution, "NAME", distribution_names() + " (uniform)");
  line.value("--seed", words.seed, "S", "the same seed makes the same keys (1)");
  line.footer(kFooter);
}

KeyFormat format_of(const Words& words) {
  if (words.type) return named("--type", *words.type, key_formats());
  const std::optional<KeyFormat> format = format_of_name(words.output.value_or(""));
  if (!format) {
    const std::string name = words.output ? in_quotes(*words.output) : "standard output";
    throw UsageError("--type is missing: " + name +
                     " does not end in .u8 … .u64, .i8 … .i64, .f32, .f64 or .txt");
  }
  return *format;
}

/// The piece of keys from `first` on, as text.
std::size_t print_piece(const DataSource& source, std::uint64_t first, std::size_t count,
                        std::vector<char>& room) {
  std::vector<std::uint64_t> keys(count);
  make_keys(source, KeyType::i64, first, std::as_writable_bytes(std::span(keys)));
  room.resize(std::max(room.size(), printed_room(count)));
  return print_numbers(keys, /*is_unsigned=*/false, room);
}

std::size_t copy_piece(const DataSource& source, KeyType type, std::uint64_t first,
                       std::size_t count, std::vector<char>& room) {
  const std::size_t bytes = count * key_bytes(type);
  room.resize(std::max(room.size(), bytes));
  make_keys(source, type, first, std::as_writable_bytes(std::span(room)).first(bytes));
  return bytes;
}

void write_keys(const DataSource& source, const KeyFormat& format, Output& output) {
  const std::uint64_t pieces = ceil_divide(source.keys, kPieceKeys);
  write_in_order(output, pieces, [&](std::size_t piece, std::vector<char>& room) {
    const std::uint64_t first = piece * kPieceKeys;
    const std::size_t count = std::min<std::uint64_t>(kPieceKeys, source.keys - first);
    return format.text ? print_piece(source, first, count, room)
                       : copy_piece(source, std::get<KeyType>(format.key), first, count, room);
  });
}

}  // namespace

int run_generate(std::span<const std::string> given) {
  CommandLine line("generate", kSummary);
  Words words;
  declare(line, words);
  line.parse(given);
  if (!words.count) throw UsageError("N is missing: how many keys");
  if (words.output == "") throw UsageError("--output: '' is not the name of a file to write");
  const DataSource source = parse_data_source("N", *words.count, words.distribution, words.seed);
  const KeyFormat format = format_of(words);
  Output output(words.output.value_or("-"));
  if (!format.text) {
    output.refuse_terminal();
    output.reserve(source.keys * format.record_bytes);
  }
  write_keys(source, format, output);
  output.finish();
  return 0;
}

}  // namespace postroom::cli
