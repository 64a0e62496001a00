#include "sort/records.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include "sort/areas.h"
#include "sort/arguments.h"
#include "sort/by_index.h"
#include "sort/config.h"
#include "sort/field_key.h"
#include "sort/front.h"
#include "sort/lease.h"
#include "sort/team.h"
#include "sort/whole_keys.h"

namespace postroom {
namespace {

using sorting::Field;
using sorting::FieldKey;

void check_field(std::size_t bytes, std::size_t record_bytes, std::size_t key_offset, KeyType key) {
  if (record_bytes < 1 || record_bytes > kMostRecordBytes) {
    throw std::invalid_argument("record_bytes: " + std::to_string(record_bytes) +
                                " is not allowed; 1 to " + std::to_string(kMostRecordBytes));
  }
  if (key_bytes(key) > record_bytes) {
    throw std::invalid_argument("key: a " + to_string(key) + " is not allowed in records of " +
                                std::to_string(record_bytes) + " bytes");
  }
  if (key_offset > record_bytes - key_bytes(key)) {
    throw std::invalid_argument("key_offset: " + std::to_string(key_offset) +
                                " is not allowed; a " + to_string(key) + " in records of " +
                                std::to_string(record_bytes) + " bytes begins at 0 to " +
                                std::to_string(record_bytes - key_bytes(key)));
  }
  if (bytes % record_bytes != 0) {
    throw std::invalid_argument("data: " + std::to_string(bytes) +
                                " bytes are not allowed; a multiple of record_bytes, " +
                                std::to_string(record_bytes));
  }
}

bool is_whole(const Field& field) { return field.record_bytes == key_bytes(field.type); }

sorting::KeyFormat format_of(const Field& field) {
  return {field.record_bytes, is_floating(field.type), is_signed(field.type), field.descending};
}

// Calls use.operator()<n>() for the n of this list that is `bytes`; false when none is.
template <class Use, std::size_t... kBytes>
bool with_size(std::size_t bytes, std::index_sequence<kBytes...>, Use&& use) {
  return ((bytes == kBytes && (use.template operator()<kBytes>(), true)) || ...);
}

// All sizes that moves_whole accepts.
using WholeSizes = std::index_sequence<1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 20, 24, 32, 40, 48, 64>;
// All that field_load_bytes returns.
using LoadSizes = std::index_sequence<1, 2, 3, 4, 5, 6, 7, 8>;

void sort_moving_whole(std::byte* data, std::size_t size, const Field& field,
                       const SortOptions& options) {
  with_size(field.record_bytes, WholeSizes(), [&]<std::size_t kBytes>() {
    const FieldKey<sorting::field_load_bytes(kBytes)> key_of(field);
    sorting::sort_rows<kBytes>(data, size, key_of, options);
  });
}

void sort_large(std::byte* data, std::size_t size, const Field& field, const SortOptions& options) {
  const sorting::Moved records{data, field.record_bytes};
  const auto read_keys = sorting::key_reader(data, field.record_bytes, FieldKey<8>(field));
  sorting::sort_by_index({&records, 1}, size, read_keys, options);
}

constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

// The first i of [begin, end) that is out of order with i - 1, or kNone. Stops where another
// processor has found one before.
template <class KeyOf>
std::size_t first_disorder_in(const std::byte* data, std::size_t record_bytes, sorting::Range own,
                              KeyOf key_of, const std::atomic<std::size_t>& found) {
  constexpr std::size_t kBlock = 4096;
  if (own.begin == own.end) return kNone;
  std::size_t i = std::max<std::size_t>(own.begin, 1);
  auto before = key_of(data + (i - 1) * record_bytes);
  while (i < own.end) {
    // Relaxed: only saves work.
    if (found.load(std::memory_order_relaxed) < i) return kNone;
    for (const std::size_t stop = std::min(own.end, i + kBlock); i < stop; ++i) {
      const auto key = key_of(data + i * record_bytes);
      if (key < before) return i;
      before = key;
    }
  }
  return kNone;
}

void keep_smallest(std::atomic<std::size_t>& smallest, std::size_t value) {
  // Relaxed: the end of the run makes it visible.
  std::size_t seen = smallest.load(std::memory_order_relaxed);
  while (value < seen &&
         // Relaxed: as above.
         !smallest.compare_exchange_weak(seen, value, std::memory_order_relaxed)) {
  }
}

}  // namespace

void sort_records(std::span<std::byte> data, std::size_t record_bytes, std::size_t key_offset,
                  KeyType key, const SortOptions& options) {
  check_field(data.size(), record_bytes, key_offset, key);
  sorting::check_options(options);
  sorting::check_apart(data, options.scratch);
  const Field field{record_bytes, key_offset, key, options.descending};
  const std::size_t size = data.size() / record_bytes;
  if (is_whole(field)) {
    sorting::sort_whole_keys(data.data(), size, format_of(field), options);
  } else if (sorting::moves_whole(record_bytes)) {
    sort_moving_whole(data.data(), size, field, options);
  } else {
    sort_large(data.data(), size, field, options);
  }
}

std::optional<std::size_t> first_disorder(std::span<const std::byte> data, std::size_t record_bytes,
                                          std::size_t key_offset, KeyType key,
                                          const SortOptions& options) {
  check_field(data.size(), record_bytes, key_offset, key);
  sorting::check_options(options);
  const Field field{record_bytes, key_offset, key, options.descending};
  const std::size_t size = data.size() / record_bytes;
  std::atomic<std::size_t> found{kNone};
  sorting::Lease lease(options, size, SortConfig{}.alone_records);
  lease.run([&](sorting::Team team) {
    const sorting::Range own = sorting::share_of({0, size}, team.id(), team.count());
    with_size(sorting::field_load_bytes(record_bytes), LoadSizes(), [&]<std::size_t kLoad>() {
      const FieldKey<kLoad> key_of(field);
      keep_smallest(found, first_disorder_in(data.data(), record_bytes, own, key_of, found));
    });
  });
  // Relaxed: all have ended.
  const std::size_t first = found.load(std::memory_order_relaxed);
  return first == kNone ? std::nullopt : std::optional(first);
}

}  // namespace postroom
