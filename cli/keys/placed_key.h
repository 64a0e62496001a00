// A key of bytes where it lies: compared without being copied.
//
//   const KeyPlace key_of(ByteKey{10}, /*offset=*/0, /*descending=*/false);
//   key_of(record) < key_of(other);
//   key_of(record).kept();   // the same key, without the record
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "cli/keys/order_key.h"
#include "sort/key_type.h"
#include "sort/key_word.h"

namespace postroom::cli {

/// The first eight bytes as a number in their order, and where the rest is. Compares keys of one
/// format and one direction; one without a rest is equal to all that have its number.
struct PlacedKey {
  std::uint64_t first = 0;
  const std::byte* rest = nullptr;
  std::size_t rest_bytes = 0;
  bool descending = false;

  bool operator==(const PlacedKey& other) const { return compare(other) == 0; }
  bool operator<(const PlacedKey& other) const { return compare(other) < 0; }

  OrderKey kept() const;

 private:
  int compare(const PlacedKey& other) const {
    if (first != other.first) return first < other.first ? -1 : 1;
    const std::size_t both = std::min(rest_bytes, other.rest_bytes);
    const int order = both == 0 ? 0 : std::memcmp(rest, other.rest, both);
    return descending ? -order : order;
  }
};

/// Where the records of a format have their keys.
class KeyPlace {
 public:
  KeyPlace(ByteKey key, std::size_t offset, bool descending)
      : word_bytes_(std::min(key.bytes, sorting::KeyWord::kMostBytes)),
        word_(offset, word_bytes_, descending),
        rest_offset_(offset + word_bytes_),
        rest_bytes_(key.bytes - word_bytes_),
        descending_(descending) {}

  PlacedKey operator()(const std::byte* record) const {
    return {word_(record), record + rest_offset_, rest_bytes_, descending_};
  }

 private:
  std::size_t word_bytes_;
  sorting::KeyWord word_;
  std::size_t rest_offset_;
  std::size_t rest_bytes_;
  bool descending_;
};

}  // namespace postroom::cli
