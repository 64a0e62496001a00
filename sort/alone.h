// Few records, sorted by the calling thread alone: no machine, no barriers, no tables shared.
//
// Cost: one read that ends at the first disorder, then as sort/finish.h. Errors: what a key throws
// goes through; the records are a permutation.
#pragma once

#include <cstddef>

#include "sort/config.h"
#include "sort/failure.h"
#include "sort/finish.h"
#include "sort/heavy_keys.h"
#include "sort/insert.h"
#include "sort/order.h"
#include "sort/part.h"
#include "sort/steps.h"
#include "sort/team.h"

namespace postroom::sorting {

/// Sorts home[0, size) by insertion.
template <class Records>
void insert_all(Records home, std::size_t size) {
  std::size_t begin = 0;
  insert_home(home, home, true, begin, size, static_cast<std::size_t>(-1));
}

/// Sorts home[0, size), of which some keys occur very often.
template <class Records>
void sort_without_heavy(HeavyKeys<Records>& heavy, const Records& home, const Records& away,
                        const SortConfig& config) {
  Failure failure;
  Steps steps(Team(), failure);
  if (heavy.take_out(steps)) {
    const Part lights{0, heavy.lights(), true};
    steps.apart([&] { Finisher<Records>(away, home, lights.end, config).finish(lights); });
    heavy.put_back(steps);
  }
  failure.rethrow();
}

/// Sorts home[0, size); `away` has room for as many.
template <class Records>
void sort_alone(Records home, const Records& away, std::size_t size, const SortConfig& config) {
  const Order order = order_of(home, 0, size);
  if (order.rising) return;
  if (order.falling) {
    turn_round(home, 0, size / 2, size);
    if (!order.distinct && !Records::kWholeKeys) turn_runs_round(home, 0, size);
    return;
  }
  if constexpr (Records::kWholeKeys) {
    HeavyKeys<Records> heavy(home, away, size, 1, config);
    if (heavy.pays()) return sort_without_heavy(heavy, home, away, config);
  }
  Finisher<Records>(home, away, size, config).finish({0, size, false});
}

}  // namespace postroom::sorting
