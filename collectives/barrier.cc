#include "collectives/barrier.h"

#include <array>

#include "collectives/parts/arguments.h"

namespace postroom {
namespace {

constexpr std::array kAlgorithms{Algorithm::machine, Algorithm::dissemination};

// After the round with distance d a processor knows that the 2d - 1 before it, cyclically, have
// come.
void barrier_dissemination(Processor& self, Where where) {
  const int n = self.count();
  for (int distance = 1; distance < n; distance *= 2) {
    const int target = (self.id() + distance) % n;
    const int source = (self.id() + n - distance) % n;
    self.exchange(target, ConstBytes(), source, Bytes(), where);
  }
}

}  // namespace

std::span<const Algorithm> barrier_algorithms() { return kAlgorithms; }

Algorithm choose_barrier(const Processor& self) {
  const bool shares_memory = self.is_flat() || self.shares_memory();
  return shares_memory ? Algorithm::machine : Algorithm::dissemination;
}

Algorithm choose_barrier(const TimeModel& model) {
  return model.shares_memory ? Algorithm::machine : Algorithm::dissemination;
}

void barrier(Processor& self, Algorithm algorithm, Where where) {
  const Operation operation(self, "barrier");
  const Algorithm choice = algorithm.is_automatic() ? choose_barrier(self) : algorithm;
  if (choice == Algorithm::machine) return self.barrier(where);
  if (choice == Algorithm::dissemination) return barrier_dissemination(self, where);
  throw_unknown_algorithm("barrier", algorithm, kAlgorithms);
}

Cost barrier_cost(int processors, Algorithm algorithm) {
  require_sizes("barrier", processors, 0);
  if (!algorithm.is_automatic() && algorithm != Algorithm::machine &&
      algorithm != Algorithm::dissemination) {
    throw_unknown_algorithm("barrier", algorithm, kAlgorithms);
  }
  return {doubling_rounds(processors), 0};
}

double barrier_time(int processors, const Algorithm& algorithm, const TimeModel& model) {
  model.check();
  const auto rounds = static_cast<double>(barrier_cost(processors, algorithm).rounds);
  const Algorithm choice = algorithm.is_automatic() ? choose_barrier(model) : algorithm;
  const bool sends = choice == Algorithm::dissemination;
  return sends || model.shares_memory ? rounds * model.arrival(0) : kNotPredicted;
}

}  // namespace postroom
