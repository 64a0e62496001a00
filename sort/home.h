// Records where they lie, sorted by as many processors as there are.
//
// Between what knows the caller's arguments (sort/front.h, sort/numbered.h, sort/whole_keys.h) and
// the engine, which knows layouts: whether there is anything to do is found out before room is
// asked for, and few records, or few that stray, are for one processor. `config` is for tests;
// without it the thresholds are those of the box.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "sort/engine/alone.h"
#include "sort/engine/config.h"
#include "sort/engine/engine.h"
#include "sort/engine/failure.h"
#include "sort/engine/few_records.h"
#include "sort/engine/few_rows.h"
#include "sort/engine/lease.h"
#include "sort/engine/long_row.h"
#include "sort/engine/one_network.h"
#include "sort/engine/order.h"
#include "sort/engine/presort.h"
#include "sort/engine/steps.h"
#include "sort/engine/strays.h"
#include "sort/engine/team.h"
#include "sort/engine/whole_words.h"
#include "sort/options.h"

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

/// Sorts home[0, size), which is not in order, by the calling thread. make_room() as below.
template <class Records, class MakeRoom>
void sort_home_alone(const Records& home, const MakeRoom& make_room, std::size_t size,
                     const SortConfig& config) {
  if (fits_one_network<Records>(size, config)) return sort_by_one_network(home, size);
  const Room<Records> room = make_room();
  if (settle_strays(home, room.away, size, config)) return;
  if (const Range rest = beside_long_row(home, size, config); rest.begin < rest.end) {
    const std::size_t count = rest.end - rest.begin;
    const Records part = Records(home).from(rest.begin);
    if (!settle_order(part, count)) sort_alone(part, room.away, count, config);
    return merge_two_rows(home, room.away, rest.begin > 0 ? rest.begin : rest.end, size, config);
  }
  sort_alone(home, room.away, size, config);
}

/// Two rows in order, home[0, middle) and home[middle, size), become one, by all processors of the
/// lease.
template <class Records>
void merge_two_rows(const Records& home, const Room<Records>& room, std::size_t middle,
                    std::size_t size, Lease& lease, const SortConfig& config) {
  FewRows<Records> rows(home, room.away, size, lease.processors(), config);
  Failure failure;
  lease.run([&](Team team) {
    Steps steps(team, failure);
    rows.merge_two_rows(steps, middle, room.cold);
  });
  failure.rethrow();
}

/// As sort_home_alone by all processors of the lease.
template <class Records>
void sort_home_together(const Records& home, const Room<Records>& room, std::size_t size,
                        Lease& lease, const SortConfig& config,
                        const std::function<void(double)>& progress) {
  const bool by_one =
      is_read_soon<Records>(2 * size, config) || lease.processors() <= config.stray_processors;
  if (by_one && settle_strays(home, room.away, size, config)) return;
  if (const Range rest = beside_long_row(home, size, config); rest.begin < rest.end) {
    const std::size_t count = rest.end - rest.begin;
    const Records part = Records(home).from(rest.begin);
    if (!settle_order_together(part, count, lease, config)) {
      // Nothing is told of that part: it may be a small one.
      sort_home_together(part, {room.away, {}}, count, lease, config, nullptr);
    }
    return merge_two_rows(home, room, rest.begin > 0 ? rest.begin : rest.end, size, lease, config);
  }
  if constexpr (Records::kMayBeWords) {
    // One processor does as well in any case (sort/engine/spread_words.h). Keys that are few or
    // frequent have ways of their own.
    if (lease.processors() > 1 && can_sort_words(home, size, config) &&
        !words_defy_digits(home, size) && !FewRecords<Records>::pays(home, size, config)) {
      const WordRows rows = word_rows(home, room.away, size);
      if (numbers_rise(rows, lease)) {
        return sort_words(rows, room.cold, lease, config, progress);
      }
    }
  }
  Engine<Records> engine(home, room.away, size, room.cold, lease.processors(), config, progress);
  lease.run([&](Team team) { engine.run(team); });
  engine.rethrow();
}

/// Sorts home[0, size). make_room() gives room for as many; it is called where they are not in
/// order, once: to take memory and to give it back costs more than to read them.
template <class Records, class MakeRoom>
void sort_home(const Records& home, std::size_t size, const MakeRoom& make_room,
               const SortOptions& options, const SortConfig* config) {
  SortConfig chosen = config != nullptr ? *config : SortConfig{};
  if (is_for_one<Records>(size, chosen)) {
    if (!settle_order(home, size)) sort_home_alone(home, make_room, size, chosen);
  } else if (!settle_order_of_many(home, size, options, chosen)) {
    Lease lease(options, size, chosen.alone_records);
    if (config == nullptr) chosen = lease.config();
    sort_home_together(home, make_room(), size, lease, chosen, options.progress);
  }
  if (options.progress) options.progress(1);
}

}  // namespace postroom::sorting
