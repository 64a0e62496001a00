#include "collectives/route.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <stdexcept>
#include <string>

#include "collectives/algorithm.h"
#include "collectives/allgather.h"
#include "collectives/alltoall.h"
#include "collectives/choice.h"
#include "collectives/parts/arguments.h"

namespace postroom {

std::string_view name_of(Router router) noexcept {
  switch (router) {
    case Router::kAutomatic:
      return "automatic";
    case Router::kTwoTranspose:
      return "two_transpose";
    case Router::kOnePhase:
      return "one_phase";
    case Router::kDirect:
      return "direct";
    case Router::kTurns:
      return "turns";
  }
  return "";
}

Router parse_router(std::string_view name) {
  for (const Router router : {Router::kAutomatic, Router::kTwoTranspose, Router::kOnePhase,
                              Router::kDirect, Router::kTurns}) {
    if (name_of(router) == name) return router;
  }
  throw std::invalid_argument("router: '" + std::string(name) +
                              "' is not allowed; one of automatic, two_transpose, one_phase, "
                              "direct, turns");
}

namespace {

// Fewer processors are as fast, or faster, by messages.
constexpr int kTurnsProcessors = 8;

Algorithm choose_by_messages(int, std::int64_t, bool) { return Algorithm::two_transpose; }
Algorithm choose_by_messages(int processors, std::int64_t, const TimeModel& model) {
  return choose_router(processors, model) == Router::kOnePhase ? Algorithm::one_phase
                                                               : Algorithm::two_transpose;
}

}  // namespace

Router choose_router(int processors, const TimeModel& model) {
  if (model.shares_memory) return Router::kDirect;
  const bool sizes_matter = model.unit_bytes != 0 || model.per_byte_ns > 0;
  if (sizes_matter) return Router::kTwoTranspose;
  // Both begin with a transpose of counts.
  const double transpose =
      alltoall_time(processors, sizeof(RouteCounts::value_type), Algorithm::automatic, model);
  const double relation = allgather_time(processors, sizeof(Relation), Algorithm::automatic, model);
  const double one_phase = (processors - 1) * model.arrival(0);
  return one_phase < (relation + 2 * transpose) * kShorter ? Router::kOnePhase
                                                           : Router::kTwoTranspose;
}

Router choose_router(const Processor& self, const RouteOptions& options) {
  const Router router = options.router;
  if (router == Router::kDirect && !self.shares_memory()) {
    throw std::invalid_argument(
        "router: direct is not allowed where processors share no memory, as in virtual time; "
        "two_transpose or one_phase");
  }
  if (router == Router::kTurns && !self.takes_turns()) throw_shares_no_threads("route", "turns");
  if (router != Router::kAutomatic) return router;
  if (goes_by_turns(self) && self.count() >= kTurnsProcessors) return Router::kTurns;
  if (self.shares_memory()) return Router::kDirect;
  if (options.relation) return Router::kTwoTranspose;
  const Algorithm choice = remembered_choice(self, 0, choose_by_messages, choose_by_messages);
  return choice == Algorithm::one_phase ? Router::kOnePhase : Router::kTwoTranspose;
}

}  // namespace postroom
