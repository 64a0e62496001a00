// The direct router: every element is written once, straight into the memory of its target.
//
// For processors that share memory; where we leave [H], whose machines did not. Counts are told by
// one transpose; from them each target knows where the elements of each source belong and opens a
// window there; the sources write; the windows are closed.
//
// Order at the receiver: by source, and for each source in the order of sending.
//
// Called by all processors. Cost: one transpose of p counts and the windows (route_windows.h, which
// also says why a failure leaves nobody writing into memory that is gone). Allocates the result and
// O(p). Errors: std::invalid_argument where processors do not share memory, before any message.
//
//   auto received = route_direct<Key>(self, keys, targets);
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "collectives/models/cost.h"
#include "collectives/models/time_model.h"
#include "collectives/route/route_grouping.h"
#include "collectives/route/route_relation.h"
#include "collectives/route/route_windows.h"
#include "runtime/processor.h"

namespace postroom {

/// `targets[k]` is where `elements[k]` goes, 0 … count()-1.
template <Routable T>
std::vector<T> route_direct(Processor& self, std::span<const T> elements,
                            std::span<const int> targets, Where where = Where::current()) {
  const Operation operation(self, "route");
  check_windows(self, static_cast<std::size_t>(self.count()));
  const RouteCounts counts = count_targets(targets, self.count());
  const RouteCounts arrivals = exchange_counts(self, counts, where);
  std::size_t total = 0;
  for (const std::uint64_t count : arrivals) total += count;
  std::vector<T> received(total);

  std::vector<std::span<T>> pieces;
  std::span<T> left = received;
  for (const std::uint64_t count : arrivals) {
    pieces.push_back(left.first(count));
    left = left.subspan(count);
  }
  Windows<T> windows(self, pieces, where);
  std::vector<T*> next;
  for (int target = 0; target < self.count(); ++target) next.push_back(windows[target].data());
  place_by_target(elements, targets, counts, std::move(next));
  windows.close();
  return received;
}

/// What the trace counts; what is written straight is no message. `model` as of
/// exchange_counts_cost.
inline Cost route_direct_cost(int processors, const TimeModel* model = nullptr) {
  return exchange_counts_cost(processors, model) + windows_cost(processors);
}

}  // namespace postroom
