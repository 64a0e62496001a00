// The one-phase router: every processor sends to every other one directly, as the paper's baseline.
//
// Source: [H], section 3.2. In step s processor j exchanges with processor s XOR j when p is a
// power of two; otherwise it sends to (j + s) mod p and receives from (j - s) mod p. On a box of
// several NUMA nodes or packages the order is that of collectives/parts/partner_order.h, the
// nearest first, as XOR has it for subtrees that are powers of two. Sizes are told first, by one
// transpose of counts, so that every message is received straight into its place.
//
// Order at the receiver: by source, and for each source in the order of sending.
//
// Called by all processors. Cost: the transpose of p counts, then p - 1 rounds (more where subtrees
// of the box differ in size) whose messages are as uneven as the relation; empty ones are sent too,
// so that the rounds depend on p alone. The elements grouped by target lie in memory that the
// processor keeps; allocates the result.
//
//   auto received = route_one_phase<Key>(self, keys, targets);
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "collectives/models/cost.h"
#include "collectives/models/time_model.h"
#include "collectives/parts/partner_order.h"
#include "collectives/parts/round.h"
#include "collectives/route/route_blocks.h"
#include "collectives/route/route_grouping.h"
#include "collectives/route/route_relation.h"
#include "runtime/processor.h"

namespace postroom {

/// With whom a processor deals in a step: 0 … p-1, where step 0 is with itself.
struct OnePhaseStep {
  int target;
  int source;
};
OnePhaseStep one_phase_step(int step, int processor, int processors) noexcept;

/// counts[i * p + j]: how many elements processor i sends to processor j. `model` as of
/// exchange_counts_cost.
Cost route_one_phase_cost(int processors, std::span<const std::uint64_t> counts,
                          std::size_t element_bytes, const TimeModel* model = nullptr);

/// Where the runs of so many elements begin that lie one after another; with the end of the last.
std::vector<std::size_t> begins_of(const RouteCounts& counts);

/// Writes the elements to `grouped` by target, for each target in their order. `counts` as by
/// count_targets; begins[j] is where those for j begin.
template <Routable T>
void group_by_target(std::span<const T> elements, std::span<const int> targets,
                     const RouteCounts& counts, const std::vector<std::size_t>& begins,
                     T* grouped) {
  std::vector<T*> next;
  for (const std::size_t begin : begins) next.push_back(grouped + begin);
  place_by_target(elements, targets, counts, std::move(next));
}

/// `targets[k]` is where `elements[k]` goes, 0 … count()-1.
template <Routable T>
std::vector<T> route_one_phase(Processor& self, std::span<const T> elements,
                               std::span<const int> targets, Where where = Where::current()) {
  const Operation operation(self, "route");
  const RouteCounts counts = count_targets(targets, self.count());
  const std::vector<std::size_t> from = begins_of(counts);
  const std::vector<std::size_t> to = begins_of(exchange_counts(self, counts, where));
  const BlockMemory<T> memory(self.kept_memory(), elements.size_bytes());
  const std::span grouped(reinterpret_cast<T*>(memory.data()), elements.size());
  group_by_target(elements, targets, counts, from, grouped.data());
  std::vector<T> received(to.back());
  const auto run = [](auto& list, const std::vector<std::size_t>& begins, int processor) {
    const auto i = static_cast<std::size_t>(processor);
    return std::span(list).subspan(begins[i], begins[i + 1] - begins[i]);
  };
  std::ranges::copy(run(grouped, from, self.id()), run(received, to, self.id()).begin());
  const auto deal_with = [&](int target, int source) {
    Round round;
    if (target != kNobody) round.send(target, bytes_of(run(grouped, from, target)));
    if (source != kNobody) {
      const std::span<T> place = run(received, to, source);
      round.receive(source, writable_bytes_of(place));
    }
    round.run(self, where);
  };
  if (self.box() != nullptr && self.box()->has_order()) {
    for_each_partner(self, deal_with);
  } else {
    for (int step = 1; step < self.count(); ++step) {
      const auto [target, source] = one_phase_step(step, self.id(), self.count());
      deal_with(target, source);
    }
  }
  return received;
}

}  // namespace postroom
