#include "collectives/route.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "collectives/algorithm.h"
#include "collectives/allgather.h"
#include "collectives/alltoall.h"
#include "collectives/choice.h"
#include "collectives/parts/arguments.h"

namespace postroom {
namespace {

constexpr std::array kAlgorithms{Algorithm::two_transpose, Algorithm::one_phase, Algorithm::direct,
                                 Algorithm::turns};

// Fewer processors are as fast, or faster, by messages.
constexpr int kTurnsProcessors = 8;

Algorithm choose_by_messages(int, std::int64_t, bool) { return Algorithm::two_transpose; }
Algorithm choose_by_messages(int processors, std::int64_t, const TimeModel& model) {
  const Algorithm choice = choose_route(processors, model);
  return choice == Algorithm::one_phase ? choice : Algorithm::two_transpose;
}

void check_algorithm(const Processor& self, const Algorithm& algorithm) {
  if (std::ranges::count(kAlgorithms, algorithm) == 0) {
    throw_unknown_algorithm("route", algorithm, kAlgorithms);
  }
  if (algorithm == Algorithm::direct) require_shared_memory("route", self, "direct");
  if (algorithm == Algorithm::turns && !self.takes_turns()) {
    throw_shares_no_threads("route", "turns");
  }
}

}  // namespace

std::span<const Algorithm> route_algorithms() { return kAlgorithms; }

Algorithm choose_route(int processors, const TimeModel& model) {
  if (model.shares_memory) return Algorithm::direct;
  const bool sizes_matter = model.unit_bytes != 0 || model.per_byte_ns > 0;
  if (sizes_matter) return Algorithm::two_transpose;
  // Both begin with a transpose of counts.
  const double transpose =
      alltoall_time(processors, sizeof(RouteCounts::value_type), Algorithm::automatic, model);
  const double relation = allgather_time(processors, sizeof(Relation), Algorithm::automatic, model);
  const double one_phase = (processors - 1) * model.arrival(0);
  return one_phase < (relation + 2 * transpose) * kShorter ? Algorithm::one_phase
                                                           : Algorithm::two_transpose;
}

Algorithm choose_route(const Processor& self, const RouteOptions& options) {
  if (!options.algorithm.is_automatic()) {
    check_algorithm(self, options.algorithm);
    return options.algorithm;
  }
  if (goes_by_turns(self) && self.count() >= kTurnsProcessors) return Algorithm::turns;
  if (self.shares_memory()) return Algorithm::direct;
  if (options.relation) return Algorithm::two_transpose;
  return remembered_choice(self, 0, choose_by_messages, choose_by_messages);
}

}  // namespace postroom
