// Sorting rows that are nothing but keys: compiled once here, for all types of keys.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sort/engine/config.h"
#include "sort/engine/team.h"
#include "sort/field_key.h"
#include "sort/keys.h"
#include "sort/options.h"

namespace postroom::sorting {

/// What the bits of a key mean.
struct KeyFormat {
  std::size_t bytes;  ///< 1, 2, 4 or 8
  bool is_floating;   ///< of 4 or 8 bytes
  bool is_signed;     ///< true for floating point
  bool descending;    ///< from the largest down
};

template <class K>
KeyFormat format_of(bool descending) {
  return {sizeof(K), kIsFloatingKey<K>, is_signed_key<K>(), descending};
}

/// Of a field that is_whole().
inline KeyFormat format_of(const Field& field) {
  return {field.record_bytes, is_floating(field.type), is_signed(field.type), field.descending};
}

template <class KeyOf>
KeyOf key_of(KeyFormat format) {
  return {flip_mask<typename KeyOf::Bits>(format.is_signed, format.descending)};
}

/// Calls `use` with what reads keys of this format, which are integers.
template <class Use>
auto with_integer_key_of(KeyFormat format, Use&& use) {
  switch (format.bytes) {
    case 1:
      return use(key_of<WholeKey<std::uint8_t, false>>(format));
    case 2:
      return use(key_of<WholeKey<std::uint16_t, false>>(format));
    case 4:
      return use(key_of<WholeKey<std::uint32_t, false>>(format));
    default:
      return use(key_of<WholeKey<std::uint64_t, false>>(format));
  }
}

/// The same for any keys.
template <class Use>
auto with_key_of(KeyFormat format, Use&& use) {
  if (!format.is_floating) return with_integer_key_of(format, use);
  if (format.bytes == 4) return use(key_of<WholeKey<std::uint32_t, true>>(format));
  return use(key_of<WholeKey<std::uint64_t, true>>(format));
}

/// Sorts the keys data[0, size), which need not be aligned.
void sort_whole_keys(std::byte* data, std::size_t size, KeyFormat format,
                     const SortOptions& options, const SortConfig* config = nullptr);

/// Sorts as many of the keys data[0, size) as can be within `room`, without which there are none.
/// Returns the parts that are left, each to be sorted by itself; all, where buckets of blocks are
/// not the way (sort/engine/block_sort.h).
std::vector<Range> sort_keys_in_place(std::byte* data, std::size_t size, KeyFormat format,
                                      std::span<std::byte> room, const SortOptions& options,
                                      const SortConfig* config = nullptr);

/// The first of the keys data[begin, end) that comes before the one before it, or `end`. `begin` is
/// at least 1. Reads some thousand keys further at most.
std::size_t find_whole_fall(const std::byte* data, std::size_t begin, std::size_t end,
                            KeyFormat format) noexcept;

/// An array of unsigned integers of `bytes` (1, 2, 4 or 8).
struct IndexArray {
  std::byte* data;
  std::size_t bytes;
};

/// What numbers elements.
template <class T>
concept IndexType = std::unsigned_integral<T> && sizeof(T) <= 8;

template <IndexType T>
IndexArray index_array(std::span<T> order) {
  return {std::as_writable_bytes(order).data(), sizeof(T)};
}

/// Writes the numbers of the keys data[0, size) in the order that would sort them. The keys are
/// only read. Precondition: such integers can number so many.
void argsort_whole_keys(const IndexArray& order, const std::byte* data, std::size_t size,
                        KeyFormat format, const SortOptions& options,
                        const SortConfig* config = nullptr);

}  // namespace postroom::sorting
