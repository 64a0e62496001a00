// What the routers cost, and how long they take in a model, side by side with the collectives.
//
// Meant is route() without a relation, so two_transpose begins by finding it. Where a router
// transposes, by an alltoall of blocks of one size, it takes what automatic takes: in the model, or
// for a cost without one on the wall clock.
//
// `counts` has a row for each processor: row i, column j is how many elements i sends to j. Cost of
// each: O(p²), and choosing the alltoalls. Errors: std::invalid_argument for an algorithm that is
// no router, and for a model that makes no sense.
//
//   route_time(p, counts, RouteBytes::of<Key>(), Algorithm::one_phase, model);
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "collectives/algorithm.h"
#include "collectives/models/cost.h"
#include "collectives/models/time_model.h"
#include "collectives/route.h"

namespace postroom {

/// How large an element is, and where in memory it may begin.
struct RouteBytes {
  std::size_t element;
  std::size_t alignment;

  template <Routable T>
  static constexpr RouteBytes of() {
    return {sizeof(T), alignof(T)};
  }
};

/// What the trace counts under the clock of `model`; null: on the wall clock.
Cost route_cost(int processors, std::span<const std::uint64_t> counts, const RouteBytes& bytes,
                const Algorithm& algorithm, const TimeModel* model = nullptr);
/// When all have their elements: see time_model.h. What is written straight takes the time of
/// copying; `direct` is for processors that share memory. `turns` sends no messages: it costs
/// nothing, and is not predicted.
double route_time(int processors, std::span<const std::uint64_t> counts, const RouteBytes& bytes,
                  const Algorithm& algorithm, const TimeModel& model);

}  // namespace postroom
