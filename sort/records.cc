#include "sort/records.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>

#include "sort/areas.h"
#include "sort/arguments.h"
#include "sort/by_index.h"
#include "sort/compiled_sizes.h"
#include "sort/config.h"
#include "sort/field_key.h"
#include "sort/front.h"
#include "sort/lease.h"
#include "sort/team.h"
#include "sort/whole_keys.h"

namespace postroom {
namespace {

using sorting::check_field;
using sorting::Field;
using sorting::FieldKey;
using sorting::with_size;

void sort_moving_whole(std::byte* data, std::size_t size, const Field& field,
                       const SortOptions& options) {
  with_size(field.record_bytes, sorting::WholeSizes(), [&]<std::size_t kBytes>() {
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
  if (sorting::is_whole(field)) {
    sorting::sort_whole_keys(data.data(), size, sorting::format_of(field), options);
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
    with_size(
        sorting::field_load_bytes(record_bytes), sorting::LoadSizes(), [&]<std::size_t kLoad>() {
          const FieldKey<kLoad> key_of(field);
          keep_smallest(found, first_disorder_in(data.data(), record_bytes, own, key_of, found));
        });
  });
  // Relaxed: all have ended.
  const std::size_t first = found.load(std::memory_order_relaxed);
  return first == kNone ? std::nullopt : std::optional(first);
}

}  // namespace postroom
