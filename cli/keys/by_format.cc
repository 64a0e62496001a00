#include "cli/keys/by_format.h"

#include <variant>

#include "sort/records.h"

namespace postroom::cli {

void sort_records(std::span<std::byte> records, const KeyFormat& format,
                  const SortOptions& options) {
  const auto sort = [&](auto key) {
    postroom::sort_records(records, format.record_bytes, format.key_offset, key, options);
  };
  std::visit(sort, format.key);
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
  if (std::holds_alternative<ByteKey>(format.key)) {
    return byte_key_scratch_bytes(records, format.record_bytes);
  }
  return postroom::scratch_bytes(records, format.record_bytes, options);
}

}  // namespace postroom::cli
