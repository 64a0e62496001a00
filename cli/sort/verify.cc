#include "cli/sort/verify.h"

#include <fmt/core.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "cli/files/buffer.h"
#include "cli/files/descriptor.h"
#include "cli/keys/lines.h"
#include "cli/keys/order_check.h"
#include "cli/keys/text_numbers.h"
#include "numa/rounding.h"

namespace postroom::cli {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{64} << 20;
constexpr std::size_t kPieceBytes = std::size_t{1} << 20;
// A byte of text may be a line, whose number takes 8.
constexpr std::uint64_t kMemoryForTextByte = 9;

[[noreturn]] void refuse(const std::string& name, const std::string& why) {
  throw std::runtime_error(
      fmt::format("{}: the verification failed, {}; nothing was replaced", name, why));
}

/// `disorder` is where the order ends in a block whose first record is `first`.
void require_none(std::optional<std::size_t> disorder, std::uint64_t first,
                  const std::string& name) {
  if (disorder) refuse(name, fmt::format("record {} is out of order", first + *disorder + 1));
}

void require_same(const Fingerprint& found, const Fingerprint& expected, const std::string& name) {
  if (found == expected) return;
  refuse(name, fmt::format("it holds {} records of fingerprint {}, the input {} of {}",
                           found.records, hex(found), expected.records, hex(expected)));
}

/// Fills `bytes` from `offset` of the output, by several threads.
void read_again(const Output& output, std::span<std::byte> bytes, std::uint64_t offset) {
  const std::size_t pieces = ceil_divide(bytes.size(), kPieceBytes);
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
                const Fingerprint& expected, std::size_t most_bytes, Progress& progress) {
  const std::uint64_t size = output.written_bytes();
  const std::size_t record = format.record_bytes;
  const std::size_t block = std::max<std::size_t>(most_bytes / record, 1) * record;
  const Buffer memory(std::min<std::uint64_t>(block, size));
  OrderCheck order(options);
  Fingerprint found;
  for (std::uint64_t offset = 0; offset < size; offset += block) {
    const auto bytes = memory.bytes().first(std::min<std::uint64_t>(block, size - offset));
    read_again(output, bytes, offset);
    found += fingerprint_of_records(bytes, record);
    require_none(order.records(bytes, format), offset / record, output.name());
    progress.advance(bytes.size());
  }
  require_same(found, expected, output.name());
}

void verify_text(const Output& output, const SortOptions& options, const Fingerprint& expected,
                 std::size_t most_bytes, Progress& progress) {
  const std::uint64_t size = output.written_bytes();
  Buffer memory(std::min<std::uint64_t>(most_bytes, size));
  OrderCheck order(options);
  Fingerprint found;
  std::uint64_t offset = 0;  // of what is in memory
  for (std::size_t held = 0; offset < size;) {
    const std::size_t all = std::min<std::uint64_t>(memory.size(), size - offset);
    read_again(output, memory.bytes().first(all).subspan(held), offset + held);
    const std::string_view read = characters(memory.bytes().first(all));
    const std::string_view text = offset + all == size ? read : whole_lines(read);
    if (text.empty()) {  // a line longer than the memory
      held = all;
      memory.resize(2 * memory.size());
      continue;
    }
    const LineChunks lines = chunk_lines(text);
    const std::uint64_t first_line = found.records;
    found += fingerprint_of_lines(text, lines);
    require_none(order.numbers(parse_numbers(text, lines)), first_line, output.name());
    progress.advance(text.size());
    held = all - text.size();
    std::memmove(memory.bytes().data(), memory.bytes().data() + text.size(), held);
    offset += text.size();
  }
  require_same(found, expected, output.name());
}

}  // namespace

void verify_written(const Output& output, const KeyFormat& format, const SortOptions& options,
                    const Fingerprint& expected, std::uint64_t memory_bytes, Progress& progress) {
  progress.begin("verifying", output.written_bytes());
  if (format.text) {
    const std::uint64_t most = memory_bytes / kMemoryForTextByte;
    verify_text(output, options, expected, std::min<std::uint64_t>(kBlockBytes, most), progress);
  } else {
    const std::uint64_t most = std::min<std::uint64_t>(kBlockBytes, memory_bytes);
    verify_raw(output, format, options, expected, most, progress);
  }
}

void verify_loaded(const LoadedKeys& keys, const SortOptions& options, const Fingerprint& expected,
                   const std::string& name) {
  require_none(OrderCheck(options).records(keys.records.bytes(), keys.layout), 0, name);
  require_same(fingerprint_of(keys), expected, name);
}

}  // namespace postroom::cli
