#include "cli/keys/order_check.h"

#include "cli/keys/by_format.h"
#include "cli/keys/record_order.h"

namespace postroom::cli {

std::optional<std::size_t> OrderCheck::records(std::span<const std::byte> block_bytes,
                                               const KeyFormat& format) {
  if (block_bytes.empty()) return std::nullopt;
  // Upwards, whatever the order: block() compares accordingly.
  const RecordOrder order(format, /*is_unsigned=*/false, /*descending=*/false);
  const std::byte* const last = block_bytes.data() + block_bytes.size() - format.record_bytes;
  return block(block_bytes, format, {0, order.key(block_bytes.data())}, {0, order.key(last)});
}

std::optional<std::size_t> OrderCheck::numbers(const TextNumbers& block_numbers) {
  const auto numbers = block_numbers.keys.as<std::uint64_t>();
  if (numbers.empty()) return std::nullopt;
  constexpr std::uint64_t kSign = std::uint64_t{1} << 63;
  const auto key = [&](std::uint64_t number) {
    const bool above = block_numbers.is_unsigned && number >= kSign;
    return Key(above ? 1 : 0, OrderKey{number ^ kSign});
  };
  const KeyFormat format{.key = block_numbers.is_unsigned ? KeyType::u64 : KeyType::i64};
  return block(block_numbers.keys.bytes(), format, key(numbers.front()), key(numbers.back()));
}

std::optional<std::size_t> OrderCheck::block(std::span<const std::byte> bytes,
                                             const KeyFormat& format, const Key& first,
                                             const Key& last) {
  const bool wrong_border = last_ && (options_.descending ? *last_ < first : first < *last_);
  if (wrong_border) return 0;
  last_ = last;
  return first_disorder(bytes, format, options_);
}

}  // namespace postroom::cli
