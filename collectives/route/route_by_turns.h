// The router `turns`: for processors that take turns on few threads.
//
// Elements are grouped by target, as by one_phase; counts and elements then go by the alltoall and
// the alltoallv of collectives/algorithms/by_turns.h, for which the threads meet a few times,
// however many processors they carry. The other routers need p messages or loans of each processor,
// p² in all. Source: our own.
//
// Order at the receiver: by source, and for each source in the order of sending.
//
// Called by all processors. Cost: no messages; each element is moved twice. The elements grouped by
// target lie in memory that the processor keeps; allocates the result and O(p). Errors:
// std::invalid_argument, before anything else, where processors do not take turns
// (Processor::takes_turns).
//
//   auto received = route_by_turns<Key>(self, keys, targets);
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "collectives/algorithm.h"
#include "collectives/alltoallv.h"
#include "collectives/parts/arguments.h"
#include "collectives/route/route_blocks.h"
#include "collectives/route/route_grouping.h"
#include "collectives/route/route_one_phase.h"
#include "collectives/route/route_relation.h"
#include "runtime/processor.h"

namespace postroom {

/// `targets[k]` is where `elements[k]` goes, 0 … count()-1.
template <Routable T>
std::vector<T> route_by_turns(Processor& self, std::span<const T> elements,
                              std::span<const int> targets, Where where = Where::current()) {
  if (!self.takes_turns()) throw_shares_no_threads("route", "turns");
  const RouteCounts counts = count_targets(targets, self.count());
  const RouteCounts arrivals = exchange_counts(self, counts, where);
  const BlockMemory<T> memory(self.kept_memory(), elements.size_bytes());
  const std::span grouped(reinterpret_cast<T*>(memory.data()), elements.size());
  group_by_target(elements, targets, counts, begins_of(counts), grouped.data());
  std::vector<T> received(begins_of(arrivals).back());
  alltoallv(self, grouped, counts, received, arrivals, Algorithm::turns, where);
  return received;
}

}  // namespace postroom
