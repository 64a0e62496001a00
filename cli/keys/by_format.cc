#include "cli/keys/by_format.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <variant>

#include "cli/keys/big_endian.h"
#include "sort/records.h"

namespace postroom::cli {
namespace {

/// turn_keys(), by all threads.
void turn_all_keys(std::span<std::byte> records, const KeyFormat& format) {
  if (!is_turned(format.key)) return;
  constexpr std::size_t kPieceRecords = std::size_t{1} << 15;
  using Range = tbb::blocked_range<std::size_t>;
  const std::size_t bytes = format.record_bytes;
  tbb::parallel_for(Range(0, records.size() / bytes, kPieceRecords), [&](const Range& range) {
    turn_keys(records.subspan(range.begin() * bytes, range.size() * bytes), format);
  });
}

}  // namespace

void sort_records(std::span<std::byte> records, const KeyFormat& format,
                  const SortOptions& options) {
  const auto sort = [&](auto key) {
    postroom::sort_records(records, format.record_bytes, format.key_offset, key, options);
  };
  const std::optional<KeyType> number = number_type_of(format.key);
  if (!number) return sort(std::get<ByteKey>(format.key));
  turn_all_keys(records, format);
  sort(*number);
  turn_all_keys(records, format);
}

std::optional<std::size_t> first_disorder(std::span<const std::byte> records,
                                          const KeyFormat& format, const SortOptions& options) {
  const auto look = [&](auto key) {
    return postroom::first_disorder(records, format.record_bytes, format.key_offset, key, options);
  };
  return std::visit(look, format.key);
}

std::size_t scratch_bytes(std::size_t records, const KeyFormat& format,
                          const SortOptions& options) {
  if (!number_type_of(format.key)) {
    return byte_key_scratch_bytes(records, format.record_bytes);
  }
  return postroom::scratch_bytes(records, format.record_bytes, options);
}

}  // namespace postroom::cli
