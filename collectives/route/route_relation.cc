#include "collectives/route/route_relation.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <stdexcept>

#include "collectives/allgather.h"
#include "collectives/alltoall.h"

namespace postroom {

Cost transpose_cost(int processors, std::int64_t block_bytes, const TimeModel* model) {
  const Algorithm algorithm =
      model != nullptr ? choose_alltoall(processors, block_bytes, *model) : Algorithm::automatic;
  return alltoall_cost(processors, block_bytes, algorithm);
}

RouteCounts exchange_counts(Processor& self, const RouteCounts& counts, Where where) {
  RouteCounts arrivals(counts.size());
  alltoall(self, counts, arrivals, Algorithm::automatic, where);
  return arrivals;
}

Cost exchange_counts_cost(int processors, const TimeModel* model) {
  return transpose_cost(processors, sizeof(RouteCounts::value_type), model);
}

Relation find_relation(Processor& self, const RouteCounts& counts, Where where) {
  const RouteCounts arrivals = exchange_counts(self, counts, where);
  const Relation mine{std::reduce(counts.begin(), counts.end()),
                      std::reduce(arrivals.begin(), arrivals.end())};
  std::vector<Relation> all(counts.size());
  allgather(self, std::span(&mine, 1), all, Algorithm::automatic, where);
  return {std::ranges::max(all, {}, &Relation::most_sent).most_sent,
          std::ranges::max(all, {}, &Relation::most_received).most_received};
}

Cost find_relation_cost(int processors, const TimeModel* model) {
  const Algorithm algorithm = model != nullptr
                                  ? choose_allgather(processors, sizeof(Relation), *model)
                                  : Algorithm::automatic;
  return exchange_counts_cost(processors, model) +
         allgather_cost(processors, sizeof(Relation), algorithm);
}

bool all_below(std::span<const int> targets, int processors) {
  bool below = true;
  for (const int target : targets) {
    // A negative number becomes a large one.
    below &= static_cast<unsigned>(target) < static_cast<unsigned>(processors);
  }
  return below;
}

void throw_bad_target(std::size_t element, const std::string& target, int processors) {
  throw std::invalid_argument("destination of element " + std::to_string(element) + ": " + target +
                              " is not allowed; 0 to " + std::to_string(processors - 1));
}

void throw_target_count(std::size_t targets, std::size_t elements) {
  throw std::invalid_argument("destinations: " + std::to_string(targets) +
                              " are not allowed; one for each of the " + std::to_string(elements) +
                              " elements");
}

}  // namespace postroom
