// Whether records that come block by block are in order, within the blocks and from one to the
// next.
//
//   OrderCheck check(options);
//   if (const auto disorder = check.records(block, format)) …
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "cli/keys/key_format.h"
#include "cli/keys/order_key.h"
#include "cli/keys/text_numbers.h"
#include "sort/options.h"

namespace postroom::cli {

class OrderCheck {
 public:
  /// options.descending tells which order; the rest how to look.
  explicit OrderCheck(SortOptions options) : options_(std::move(options)) {}

  /// The number, in this block, of the first raw record that is out of order.
  std::optional<std::size_t> records(std::span<const std::byte> block, const KeyFormat& format);
  /// The same of the numbers of lines.
  std::optional<std::size_t> numbers(const TextNumbers& block);

 private:
  /// A key for comparing across blocks: numbers above the largest i64 have a first of 1.
  using Key = std::pair<int, OrderKey>;

  std::optional<std::size_t> block(std::span<const std::byte> bytes, const KeyFormat& format,
                                   const Key& first, const Key& last);

  SortOptions options_;
  std::optional<Key> last_;
};

}  // namespace postroom::cli
