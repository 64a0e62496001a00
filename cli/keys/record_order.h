// How the records of a row of bytes are told apart and compared: raw ones by their place and key,
// the lines of a text by the number that they spell.
//
//   const RecordOrder order(format, /*is_unsigned=*/false, /*descending=*/false);
//   order.key(record);   // smaller for what comes earlier
#pragma once

#include <cstddef>
#include <cstdint>

#include "cli/keys/key_format.h"
#include "cli/keys/order_key.h"

namespace postroom::cli {

class RecordOrder {
 public:
  /// `is_unsigned` counts for text: its numbers are u64, else i64.
  RecordOrder(const KeyFormat& format, bool is_unsigned, bool descending);

  bool is_text() const noexcept { return format_.text; }
  /// Of raw records.
  std::size_t record_bytes() const noexcept { return format_.record_bytes; }
  const KeyFormat& format() const noexcept { return format_; }
  bool descending() const noexcept { return descending_; }

  /// The key of a raw record.
  OrderKey key(const std::byte* record) const;
  /// One that no key of the format comes behind.
  OrderKey last_key() const;

  /// The key that stands for the number of a line.
  std::uint64_t key_of_number(std::uint64_t number) const noexcept { return number ^ flip_; }
  /// Whether a number is of the type that is asked for; in two's complement if negative.
  bool has(std::uint64_t number, bool negative) const noexcept {
    return is_unsigned_ ? !negative : negative || number >> 63 == 0;
  }

 private:
  KeyFormat format_;
  bool is_unsigned_;
  bool descending_;
  std::uint64_t flip_ = 0;
};

}  // namespace postroom::cli
