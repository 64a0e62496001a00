// Records with a key somewhere in them, for parts of the engine that read keys.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <vector>

#include "sort/engine/layout.h"
#include "sort/keys.h"

namespace postroom::sorting {

/// A key somewhere in a record, and what shows that the record stays whole.
template <class K, std::size_t kOthers>
struct Record {
  using Key = K;
  std::array<std::uint32_t, kOthers> others;
  Key key;
  friend bool operator==(const Record&, const Record&) = default;
};

/// Throws std::runtime_error where *left keys have been read before.
template <class R>
struct KeyOfRecord {
  using Bits = KeyBits<typename R::Key>;
  static constexpr bool kWholeRecord = false;
  bool descending = false;
  std::size_t* left = nullptr;

  Bits operator()(const std::byte* record) const {
    if (left != nullptr && (*left)-- == 0) throw std::runtime_error("no key");
    R whole;
    std::memcpy(&whole, record, sizeof(whole));
    return static_cast<Bits>(ordered_bits(whole.key) ^ flip_mask<Bits>(false, descending));
  }
};
template <class R>
using RowsOf = Rows<sizeof(R), KeyOfRecord<R>>;

template <class R>
RowsOf<R> rows_of(std::vector<R>& records, KeyOfRecord<R> key = {}) {
  return {std::as_writable_bytes(std::span(records)).data(), key};
}

}  // namespace postroom::sorting
