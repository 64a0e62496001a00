// Behind the front door: options in, the engine run, by as many processors as there are.
//
// Between the public functions (sort/sort.h, sort/records.h), which know types, and the engine,
// which knows layouts. Whether there is anything to do is found out before memory is taken.
// `config` is for tests; without it the thresholds are those of the box.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "sort/alone.h"
#include "sort/areas.h"
#include "sort/arguments.h"
#include "sort/by_index.h"
#include "sort/config.h"
#include "sort/engine.h"
#include "sort/failure.h"
#include "sort/layout.h"
#include "sort/lease.h"
#include "sort/options.h"
#include "sort/order.h"
#include "sort/presort.h"
#include "sort/scratch.h"
#include "sort/steps.h"
#include "sort/strays.h"
#include "sort/team.h"

namespace postroom::sorting {

/// Room for as many records as there are at home.
template <class Records>
struct Room {
  Records away;
  std::span<std::byte> cold;  // what nobody has touched yet
};

/// As settle_order, by all processors of the lease.
template <class Records>
bool settle_order_together(const Records& home, std::size_t size, Lease& lease,
                           const SortConfig& config) {
  Presort<Records> presort(home, size, config.sample_records, lease.processors());
  Failure failure;
  bool settled = false;
  lease.run([&](Team team) {
    Steps steps(team, failure);
    const bool done = presort.run(steps);
    if (team.id() == 0) settled = done;
  });
  failure.rethrow();
  return settled;
}

/// As settle_order, where it seems to be so; by all processors unless one is through sooner.
template <class Records>
bool settle_order_of_many(const Records& home, std::size_t size, const SortOptions& options,
                          const SortConfig& config) {
  const Order guess = sampled_order(home, size, config.sample_records);
  if (guess.none()) return false;
  // What is turned round is read, read again and written.
  const std::size_t work = guess.rising ? size : 3 * size;
  if (is_read_soon<Records>(work, config)) return settle_order(home, size);
  Lease lease(options, size, config.alone_records);
  return settle_order_together(home, size, lease, config);
}

/// Sorts home[0, size). make_room() gives room for as many; it is called where they are not in
/// order, once: to take memory and to give it back costs more than to read them.
template <class Records, class MakeRoom>
void sort_home(const Records& home, std::size_t size, const MakeRoom& make_room,
               const SortOptions& options, const SortConfig* config) {
  SortConfig chosen = config != nullptr ? *config : SortConfig{};
  if (is_for_one<Records>(size, chosen)) {
    if (!settle_order(home, size)) {
      const Room<Records> room = make_room();
      if (!settle_strays(home, room.away, size, chosen)) sort_alone(home, room.away, size, chosen);
    }
  } else if (!settle_order_of_many(home, size, options, chosen)) {
    Lease lease(options, size, chosen.alone_records);
    if (config == nullptr) chosen = lease.config();
    const Room<Records> room = make_room();
    const bool by_one =
        is_read_soon<Records>(2 * size, chosen) || lease.processors() <= chosen.stray_processors;
    // Strays are through in one go, and cannot say how far they are.
    const bool settles = by_one && !options.progress;
    if (!settles || !settle_strays(home, room.away, size, chosen)) {
      Engine<Records> engine(home, room.away, size, room.cold, lease.processors(), chosen,
                             options.progress);
      lease.run([&](Team team) { engine.run(team); });
      engine.rethrow();
    }
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
    if (needs_no_scratch(size, options, config)) return insert_all(home, size);
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
