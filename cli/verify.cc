#include "cli/verify.h"

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>

#include "cli/descriptor.h"
#include "cli/lines.h"
#include "cli/text_numbers.h"
#include "sort/records.h"

namespace postroom::cli {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{64} << 20;
constexpr std::size_t kPieceBytes = std::size_t{1} << 20;

[[noreturn]] void refuse(const std::string& name, const std::string& why) {
  throw std::runtime_error(
      fmt::format("{}: the verification failed, {}; nothing was replaced", name, why));
}

void require_order(std::span<const std::byte> records, const KeyFormat& layout,
                   const SortOptions& options, std::uint64_t first, const std::string& name) {
  const auto disorder =
      first_disorder(records, layout.record_bytes, layout.key_offset, layout.key, options);
  if (disorder) refuse(name, fmt::format("record {} is out of order", first + *disorder + 1));
}

void require_same(const Fingerprint& found, const Fingerprint& expected, const std::string& name) {
  if (found == expected) return;
  refuse(name, fmt::format("it holds {} records of fingerprint {}, the input {} of {}",
                           found.records, hex(found), expected.records, hex(expected)));
}

/// Fills `bytes` from `offset` of the output, by several threads.
void read_again(const Output& output, std::span<std::byte> bytes, std::uint64_t offset) {
  const std::size_t pieces = (bytes.size() + kPieceBytes - 1) / kPieceBytes;
  tbb::parallel_for(std::size_t{0}, pieces, [&](std::size_t piece) {
    const std::size_t begin = piece * kPieceBytes;
    const auto own = bytes.subspan(begin, std::min(kPieceBytes, bytes.size() - begin));
    if (read_full_at(output.rereadable_descriptor(), own, offset + begin, output.name()) !=
        own.size()) {
      refuse(output.name(), "it is shorter than what was written");
    }
  });
}

void verify_raw(const Output& output, const KeyFormat& format, const SortOptions& options,
                const Fingerprint& expected, Progress& progress) {
  const std::uint64_t size = output.written_bytes();
  const std::size_t record = format.record_bytes;
  const std::size_t block = std::max<std::size_t>(kBlockBytes / record, 1) * record;
  // In front of each block the last record of the one before, so that borders are checked too.
  Buffer memory(record + std::min<std::uint64_t>(block, size));
  Fingerprint found;
  for (std::uint64_t offset = 0; offset < size; offset += block) {
    const auto bytes =
        memory.bytes().subspan(record, std::min<std::uint64_t>(block, size - offset));
    read_again(output, bytes, offset);
    found += fingerprint_of_records(bytes, record);
    const bool first = offset == 0;
    require_order(first ? bytes : memory.bytes().first(record + bytes.size()), format, options,
                  offset / record - (first ? 0 : 1), output.name());
    std::memcpy(memory.bytes().data(), bytes.data() + bytes.size() - record, record);
    progress.advance(bytes.size());
  }
  require_same(found, expected, output.name());
}

void verify_text(const Output& output, const SortOptions& options, const Fingerprint& expected,
                 Progress& progress) {
  const Buffer memory(output.written_bytes());
  read_again(output, memory.bytes(), 0);
  progress.advance(memory.size());
  const std::string_view text(memory.as<char>().data(), memory.size());
  const LineChunks lines = chunk_lines(text);
  require_same(fingerprint_of_lines(text, lines), expected, output.name());
  const TextNumbers numbers = parse_numbers(text, lines);
  const KeyFormat layout{.key = numbers.is_unsigned ? KeyType::u64 : KeyType::i64};
  require_order(numbers.keys.bytes(), layout, options, 0, output.name());
}

}  // namespace

void verify_written(const Output& output, const KeyFormat& format, const SortOptions& options,
                    const Fingerprint& expected, Progress& progress) {
  progress.begin("verifying", output.written_bytes());
  if (format.text) {
    verify_text(output, options, expected, progress);
  } else {
    verify_raw(output, format, options, expected, progress);
  }
}

void verify_loaded(const LoadedKeys& keys, const SortOptions& options, const Fingerprint& expected,
                   const std::string& name) {
  require_order(keys.records.bytes(), keys.layout, options, 0, name);
  require_same(fingerprint_of(keys), expected, name);
}

}  // namespace postroom::cli
