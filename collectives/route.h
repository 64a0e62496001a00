// Route: an h-relation. Every processor has elements, each goes to a processor of its own.
//
// MPI has none, nearest MPI_Alltoallv; h-relation personalized communication in [H], section 3.
// Four routers:
//
//   two_transpose   two transposes of fixed blocks; time depends on h, not on the pattern
//   one_phase       a direct message for each pair, p - 1 rounds; as slow as the pattern is uneven
//   direct          in shared memory: every element is written once, straight to its place
//   turns           where processors share threads: one of each thread copies for all of it
//
// Where processors share memory, automatic is `direct`; where eight or more share threads, `turns`
// (docs/performance.md, "The routers"). Otherwise nobody knows beforehand how uneven the pattern
// is, and it is two_transpose, with one exception: in a model where a message takes the same time
// whatever its size, it is one_phase where that takes less, which is so for all patterns or for
// none. Where the caller says how large the relation is, two_transpose never takes more there.
//
// With all four the receiver gets the elements ordered by source, and for each source in the order
// of sending. p need not divide anything, sizes may differ, any of them may be 0.
//
// Called by all processors, with the same options. Cost: beside each router; where the caller does
// not say how large the relation is, two_transpose finds out first (find_relation_cost). Errors:
// std::invalid_argument, before any message is sent, for a destination outside of 0 … count()-1,
// for a list of destinations of another length, for more elements than options.relation says, for
// an algorithm that is no router, for `direct` where processors do not share memory, and for
// `turns` where they do not share threads; std::logic_error where a bin overflows because a
// processor receives more than options.relation says. Where processors name different routers, it
// is one error or another, as where messages carry no bytes (a LightMachine with Payload::none):
// it looks at what it has received. `elements` is only read.
//
//   struct Order { std::uint32_t customer; std::uint32_t what; };
//   std::vector<Order> mine = route(self, orders, [&](const Order& order) {
//     return order.customer % self.count();
//   });
#pragma once

#include <concepts>
#include <optional>
#include <ranges>
#include <span>
#include <vector>

#include "collectives/algorithm.h"
#include "collectives/models/time_model.h"
#include "collectives/route/route_by_turns.h"
#include "collectives/route/route_direct.h"
#include "collectives/route/route_grouping.h"
#include "collectives/route/route_one_phase.h"
#include "collectives/route/route_relation.h"
#include "collectives/route/route_two_transpose.h"
#include "runtime/processor.h"

namespace postroom {

struct RouteOptions {
  Algorithm algorithm = Algorithm::automatic;
  /// What is known of h, the same on all processors; only two_transpose needs it.
  std::optional<Relation> relation = std::nullopt;
};

/// All routers, besides automatic.
std::span<const Algorithm> route_algorithms();
/// What options.algorithm stands for in a call of `self`: automatic for a router, the same on all
/// processors, any other one for itself. What route() refuses is std::invalid_argument.
Algorithm choose_route(const Processor& self, const RouteOptions& options);
/// What automatic stands for in a model, where no relation is given. Cost: that of choosing an
/// alltoall and an allgather.
Algorithm choose_route(int processors, const TimeModel& model);

/// `destination` is a list with one number for each element, or a function of an element (or a
/// member of it) that gives its number; the function is called once for each element.
template <Elements R, class Destination>
requires Routable<std::ranges::range_value_t<R>>
[[nodiscard]] std::vector<std::ranges::range_value_t<R>> route(Processor& self, const R& elements,
                                                               const Destination& destination,
                                                               const RouteOptions& options = {},
                                                               Where where = Where::current()) {
  using T = std::ranges::range_value_t<R>;
  const std::span<const T> all(std::ranges::data(elements), std::ranges::size(elements));
  const Targets checked(all, destination, self.count());
  const std::span<const int> targets = checked.all();
  if (options.relation && all.size() > options.relation->most_sent) {
    throw_too_many_sent(all.size(), options.relation->most_sent);
  }
  switch (choose_route(self, options).name) {
    case Algorithm::Name::kOnePhase:
      return route_one_phase(self, all, targets, where);
    case Algorithm::Name::kDirect:
      return route_direct(self, all, targets, where);
    case Algorithm::Name::kTurns:
      return route_by_turns(self, all, targets, where);
    default:
      const Relation relation =
          options.relation ? *options.relation
                           : find_relation(self, count_targets(targets, self.count()), where);
      return route_two_transpose(self, all, targets, relation, NoRouteStatistics(), where);
  }
}
/// The same with {.algorithm = algorithm}. For an Algorithm alone, so that {} means the options.
template <Elements R, class Destination>
requires Routable<std::ranges::range_value_t<R>>
[[nodiscard]] std::vector<std::ranges::range_value_t<R>> route(
    Processor& self, const R& elements, const Destination& destination,
    std::same_as<Algorithm> auto algorithm, Where where = Where::current()) {
  return route(self, elements, destination, RouteOptions{.algorithm = algorithm}, where);
}

void route(Anything, ...) = delete;  // self, elements, an int for each or a function of one

}  // namespace postroom
