#include "cli/keys/by_format.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <concepts>
#include <variant>

#include "cli/keys/big_endian.h"
#include "sort/in_place.h"
#include "sort/key_type.h"
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

/// Whether a record is a number and nothing else, and the sort may be any.
bool may_be_in_place(const KeyFormat& format, const SortOptions& options) {
  const std::optional<KeyType> number = number_type_of(format.key);
  return number && key_bytes(*number) == format.record_bytes &&
         options.algorithm == SortAlgorithm::automatic;
}

template <class Key>
void sort_keys_in_place(std::span<std::byte> keys, const SortOptions& options) {
  // Of the system's, so they begin where a page does.
  sort_in_place(std::span(reinterpret_cast<Key*>(keys.data()), keys.size() / sizeof(Key)), options);
}

void sort_bare_in_place(std::span<std::byte> keys, KeyType type, const SortOptions& options) {
  switch (type) {
    case KeyType::u8:
      return sort_keys_in_place<std::uint8_t>(keys, options);
    case KeyType::u16:
      return sort_keys_in_place<std::uint16_t>(keys, options);
    case KeyType::u32:
      return sort_keys_in_place<std::uint32_t>(keys, options);
    case KeyType::u64:
      return sort_keys_in_place<std::uint64_t>(keys, options);
    case KeyType::i8:
      return sort_keys_in_place<std::int8_t>(keys, options);
    case KeyType::i16:
      return sort_keys_in_place<std::int16_t>(keys, options);
    case KeyType::i32:
      return sort_keys_in_place<std::int32_t>(keys, options);
    case KeyType::i64:
      return sort_keys_in_place<std::int64_t>(keys, options);
    case KeyType::f32:
      return sort_keys_in_place<float>(keys, options);
    case KeyType::f64:
      return sort_keys_in_place<double>(keys, options);
  }
}

/// `sort` takes the type of a number, or a ByteKey.
template <class Sort>
void sort_turned(std::span<std::byte> records, const KeyFormat& format, const Sort& sort) {
  const std::optional<KeyType> number = number_type_of(format.key);
  if (!number) return sort(std::get<ByteKey>(format.key));
  turn_all_keys(records, format);
  sort(*number);
  turn_all_keys(records, format);
}

}  // namespace

void sort_records(std::span<std::byte> records, const KeyFormat& format,
                  const SortOptions& options) {
  sort_turned(records, format, [&](auto key) {
    postroom::sort_records(records, format.record_bytes, format.key_offset, key, options);
  });
}

void sort_records_within(std::uint64_t memory_bytes, std::span<std::byte> records,
                         const KeyFormat& format, const SortOptions& options) {
  const std::size_t scratch = scratch_bytes(records.size() / format.record_bytes, format, options);
  if (scratch <= memory_bytes || !may_be_in_place(format, options)) {
    return sort_records(records, format, options);
  }
  sort_turned(records, format, [&]<class Type>(Type type) {
    if constexpr (std::same_as<Type, KeyType>) sort_bare_in_place(records, type, options);
  });
}

std::size_t least_scratch_bytes(std::size_t records, const KeyFormat& format,
                                const SortOptions& options) {
  return may_be_in_place(format, options) ? in_place_scratch_bytes(records, format.record_bytes)
                                          : scratch_bytes(records, format, options);
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
