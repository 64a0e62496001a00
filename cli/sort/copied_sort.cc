#include "cli/sort/copied_sort.h"

#include <fmt/core.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <vector>

#include "cli/keys/big_endian.h"
#include "numa/rounding.h"
#include "sort/copy_sorted.h"

namespace postroom::cli {
namespace {

// Fewer bytes take no longer the other way.
constexpr std::uint64_t kLeastBytes = std::uint64_t{4} << 20;

Fingerprint fingerprint_of(const Inputs& inputs, std::size_t record_bytes) {
  constexpr std::size_t kPieceBytes = std::size_t{1} << 20;
  const std::uint64_t bytes = *inputs.size();
  const std::size_t most = std::max<std::size_t>(kPieceBytes / record_bytes, 1) * record_bytes;
  using Range = tbb::blocked_range<std::size_t>;
  return tbb::parallel_reduce(
      Range(0, ceil_divide(bytes, most)), Fingerprint{},
      [&](const Range& range, Fingerprint sum) {
        std::vector<std::byte> room(most);
        for (std::size_t i = range.begin(); i != range.end(); ++i) {
          const auto piece = std::span(room).first(std::min(most, bytes - i * most));
          inputs.read_at(i * most, piece);
          sum += fingerprint_of_records(piece, record_bytes);
        }
        return sum;
      },
      [](Fingerprint a, const Fingerprint& b) { return a += b; });
}

/// Writes records whose keys are numbers as the format has them.
void write_records(Output& output, std::uint64_t place, std::span<const std::byte> records,
                   const KeyFormat& format) {
  if (!is_turned(format.key)) return output.write_at(place, records);
  // In pieces, since what copies of them take is not counted.
  constexpr std::size_t kPieceBytes = std::size_t{64} << 10;
  const std::size_t most = kPieceBytes / format.record_bytes * format.record_bytes;
  std::vector<std::byte> room(std::min(most, records.size()));
  while (!records.empty()) {
    const std::span turned = std::span(room).first(std::min(most, records.size()));
    std::ranges::copy(records.first(turned.size()), turned.begin());
    turn_keys(turned, format);
    output.write_at(place, turned);
    place += turned.size();
    records = records.subspan(turned.size());
  }
}

StoredRecords stored_by(const KeyFormat& format, const Inputs& inputs, Output& output) {
  const std::size_t record = format.record_bytes;
  return {.records = *inputs.size() / record,
          .record_bytes = record,
          .key_offset = format.key_offset,
          .key = *number_type_of(format.key),
          .read =
              [&inputs, &format](std::size_t first, std::span<std::byte> piece) {
                inputs.read_at(first * format.record_bytes, piece);
                turn_keys(piece, format);
              },
          .write =
              [&output, &format](std::size_t first, std::span<const std::byte> piece) {
                write_records(output, first * format.record_bytes, piece, format);
              }};
}

}  // namespace

bool may_be_copied(const SortArguments& arguments, std::uint64_t bytes,
                   std::uint64_t memory_bytes) {
  const KeyFormat& format = arguments.format;
  const std::optional<KeyType> key = number_type_of(format.key);
  return !arguments.random && !arguments.merge && !format.text &&
         arguments.algorithm == SortAlgorithm::automatic && bytes >= kLeastBytes &&
         bytes + bytes / 8 <= memory_bytes && key && can_copy_sorted(format.record_bytes, *key);
}

std::optional<CopiedSort> sort_by_copying(const SortArguments& arguments, const Inputs& inputs,
                                          Output& output, const SortOptions& options,
                                          std::uint64_t memory_bytes, Stopwatch& time) {
  const StoredRecords stored = stored_by(arguments.format, inputs, output);
  CopiedSort done = {.records = stored.records, .bytes = stored.records * stored.record_bytes};
  output.reserve(done.bytes);
  if (arguments.verify) {
    done.fingerprint = fingerprint_of(inputs, stored.record_bytes);
    time.lap("fingerprint");
  }
  try {
    if (!copy_sorted(stored, memory_bytes, options)) {
      time.lap("count");
      return std::nullopt;
    }
  } catch (const SourceChangedError&) {
    throw std::runtime_error(fmt::format("{}: was changed while it was sorted", inputs.name()));
  }
  time.lap("sort");
  return done;
}

}  // namespace postroom::cli
