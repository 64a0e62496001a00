// Behind the front door: options in, the engine run, by as many processors as there are.
//
// Between the public functions (sort/sort.h, sort/records.h), which know types, and the engine,
// which knows layouts. `config` is for tests; without it the thresholds are those of the box.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "sort/alone.h"
#include "sort/areas.h"
#include "sort/arguments.h"
#include "sort/by_index.h"
#include "sort/config.h"
#include "sort/engine.h"
#include "sort/layout.h"
#include "sort/lease.h"
#include "sort/options.h"
#include "sort/scratch.h"
#include "sort/team.h"

namespace postroom::sorting {

/// Sorts home[0, size); `away` has room for as many.
template <class Records>
void sort_between(const Records& home, const Records& away, std::size_t size,
                  std::span<std::byte> cold, const SortOptions& options,
                  const SortConfig* config = nullptr) {
  SortConfig chosen = config != nullptr ? *config : SortConfig{};
  if (is_for_one<Records>(size, chosen)) {
    sort_alone(home, away, size, chosen);
  } else if (!settle_order_soon(home, size, chosen)) {
    Lease lease(options, size, chosen.alone_records);
    if (config == nullptr) chosen = lease.config();
    Engine<Records> engine(home, away, size, cold, lease.processors(), chosen, options.progress);
    lease.run([&](Team team) { engine.run(team); });
    engine.rethrow();
  }
  if (options.progress) options.progress(1);
}

/// Whether the records are so few that they need no scratch. One that was handed in is checked all
/// the same.
inline bool needs_no_scratch(std::size_t size, const SortOptions& options,
                             const SortConfig* config) {
  const std::size_t few =
      config != nullptr ? config->insertion_records : SortConfig{}.insertion_records;
  return size <= few && options.scratch.empty() && !options.progress;
}

/// The keys of records of `record_bytes`.
template <class KeyOf>
KeyReader key_reader(const std::byte* data, std::size_t record_bytes, const KeyOf& key_of) {
  return [=](std::size_t begin, std::size_t end, std::uint64_t* keys) {
    for (std::size_t i = begin; i < end; ++i) *keys++ = key_of(data + i * record_bytes);
  };
}

/// Sorts the rows data[0, size).
template <std::size_t kBytes, class KeyOf>
void sort_rows(std::byte* data, std::size_t size, KeyOf key_of, const SortOptions& options,
               const SortConfig* config = nullptr) {
  check_options(options);
  if (kBytes > kMostMovedBytes || options.algorithm != SortAlgorithm::automatic) {
    const Moved rows{data, kBytes};
    return sort_by_index({&rows, 1}, size, key_reader(data, kBytes, key_of), options, config);
  }
  if constexpr (kBytes <= kMostMovedBytes) {
    const Rows<kBytes, KeyOf> home(data, key_of);
    if (needs_no_scratch(size, options, config)) return insert_all(home, size);
    const SortScratch scratch(options.scratch, row_areas(size, kBytes));
    const Rows<kBytes, KeyOf> away(scratch.area(0), key_of);
    sort_between(home, away, size, scratch.cold(), options, config);
  }
}

/// Sorts the keys and, with them, the values beside them.
template <std::size_t kValueBytes, class KeyOf>
void sort_columns(std::byte* keys, std::byte* values, std::size_t size, KeyOf key_of,
                  const SortOptions& options, const SortConfig* config = nullptr) {
  constexpr std::size_t kKeyBytes = KeyOf::kRecordBytes;
  check_options(options);
  if (kValueBytes > kMostMovedBytes || options.algorithm != SortAlgorithm::automatic) {
    const std::array columns{Moved{keys, kKeyBytes}, Moved{values, kValueBytes}};
    return sort_by_index(columns, size, key_reader(keys, kKeyBytes, key_of), options, config);
  }
  if constexpr (kValueBytes <= kMostMovedBytes) {
    using Records = Columns<KeyOf, kValueBytes>;
    const Records home(keys, values, key_of);
    if (needs_no_scratch(size, options, config)) return insert_all(home, size);
    const SortScratch scratch(options.scratch, column_areas(size, kKeyBytes, kValueBytes));
    const Records away(scratch.area(0), scratch.area(1), key_of);
    sort_between(home, away, size, scratch.cold(), options, config);
  }
}

}  // namespace postroom::sorting
