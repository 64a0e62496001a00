// Behind the front door: options in, records sorted where they lie or by their numbers.
//
// Between the public functions (sort/sort.h, sort/records.h), which know types, and sort/home.h,
// which knows layouts. `config` is for tests; without it the thresholds are those of the box.
#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include "sort/areas.h"
#include "sort/arguments.h"
#include "sort/by_index.h"
#include "sort/engine/alone.h"
#include "sort/engine/config.h"
#include "sort/engine/layout.h"
#include "sort/home.h"
#include "sort/numbered.h"
#include "sort/options.h"
#include "sort/scratch.h"

namespace postroom::sorting {

/// Whether the records are so few that they need no scratch. One that was handed in is checked all
/// the same.
inline bool needs_no_scratch(std::size_t size, const SortOptions& options,
                             const SortConfig* config) {
  const std::size_t few =
      config != nullptr ? config->insertion_records : SortConfig{}.insertion_records;
  return size <= few && options.scratch.empty() && !options.progress;
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
    if (needs_no_scratch(size, options, config)) return sort_very_few(home, size);
    const Areas areas = row_areas(size, kBytes);
    check_scratch(options.scratch, areas);
    std::optional<SortScratch> scratch;
    const auto make_room = [&]() -> Room<Rows<kBytes, KeyOf>> {
      scratch.emplace(options.scratch, areas);
      return {Rows<kBytes, KeyOf>(scratch->area(0), key_of), scratch->cold()};
    };
    sort_home(home, size, make_room, options, config);
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
    if (needs_no_scratch(size, options, config)) return sort_very_few(home, size);
    const Areas areas = column_areas(size, kKeyBytes, kValueBytes);
    check_scratch(options.scratch, areas);
    std::optional<SortScratch> scratch;
    const auto make_room = [&]() -> Room<Records> {
      scratch.emplace(options.scratch, areas);
      return {Records(scratch->area(0), scratch->area(1), key_of), scratch->cold()};
    };
    sort_home(home, size, make_room, options, config);
  }
}

}  // namespace postroom::sorting
