#include "cli/sort/copied_sort.h"

#include <fmt/core.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <variant>
#include <vector>

#include "numa/rounding.h"
#include "sort/copy_sorted.h"

namespace postroom::cli {
namespace {

// Fewer bytes take no longer the other way.
constexpr std::uint64_t kLeastBytes = std::uint64_t{4} << 20;

Fingerprint fingerprint_of(const StoredRecords& stored) {
  constexpr std::size_t kPieceBytes = std::size_t{1} << 20;
  const std::size_t most = std::max<std::size_t>(kPieceBytes / stored.record_bytes, 1);
  using Range = tbb::blocked_range<std::size_t>;
  return tbb::parallel_reduce(
      Range(0, ceil_divide(stored.records, most)), Fingerprint{},
      [&](const Range& range, Fingerprint sum) {
        std::vector<std::byte> piece(most * stored.record_bytes);
        for (std::size_t i = range.begin(); i != range.end(); ++i) {
          const std::size_t first = i * most;
          const std::size_t count = std::min(most, stored.records - first);
          const std::span<std::byte> bytes = std::span(piece).first(count * stored.record_bytes);
          stored.read(first, bytes);
          sum += fingerprint_of_records(bytes, stored.record_bytes);
        }
        return sum;
      },
      [](Fingerprint a, const Fingerprint& b) { return a += b; });
}

StoredRecords stored_by(const KeyFormat& format, const Inputs& inputs, Output& output) {
  const std::size_t record = format.record_bytes;
  return {.records = *inputs.size() / record,
          .record_bytes = record,
          .key_offset = format.key_offset,
          .key = std::get<KeyType>(format.key),
          .read = [&inputs, record](
                      std::size_t first,
                      std::span<std::byte> piece) { inputs.read_at(first * record, piece); },
          .write =
              [&output, record](std::size_t first, std::span<const std::byte> piece) {
                output.write_at(first * record, piece);
              }};
}

}  // namespace

bool may_be_copied(const SortArguments& arguments, std::uint64_t bytes,
                   std::uint64_t memory_bytes) {
  const KeyFormat& format = arguments.format;
  const auto* const key = std::get_if<KeyType>(&format.key);
  return !arguments.random && !arguments.merge && !format.text &&
         arguments.algorithm == SortAlgorithm::automatic && bytes >= kLeastBytes &&
         bytes + bytes / 8 <= memory_bytes && key != nullptr &&
         can_copy_sorted(format.record_bytes, *key);
}

std::optional<CopiedSort> sort_by_copying(const SortArguments& arguments, const Inputs& inputs,
                                          Output& output, const SortOptions& options,
                                          std::uint64_t memory_bytes, Stopwatch& time) {
  const StoredRecords stored = stored_by(arguments.format, inputs, output);
  CopiedSort done = {.records = stored.records, .bytes = stored.records * stored.record_bytes};
  output.reserve(done.bytes);
  if (arguments.verify) {
    done.fingerprint = fingerprint_of(stored);
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
