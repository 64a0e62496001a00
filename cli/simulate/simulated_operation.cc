#include "cli/simulate/simulated_operation.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "cli/common/failure.h"
#include "cli/common/memory_check.h"
#include "cli/common/units.h"
#include "collectives/chosen_algorithm.h"

namespace postroom::cli {

bool SimulatedOperation::has(Algorithm::Name algorithm) const {
  return std::ranges::any_of(algorithms(),
                             [&](const Algorithm& each) { return each.name == algorithm; });
}

Algorithm SimulatedOperation::listed(const Algorithm& named) const {
  const auto found = std::ranges::find(algorithms(), named.name, &Algorithm::name);
  return found == algorithms().end() ? named : *found;
}

void SimulatedOperation::refuse_root() const {
  if (name == "gatherv" || name == "scatterv") {
    throw UsageError("--root: of gatherv and scatterv the root is always 0 here");
  }
  throw UsageError(fmt::format("--root: {} takes none", name));
}

bool SimulatedOperation::runs_in_model(Algorithm::Name algorithm) const {
  // Two processors run whatever is listed, and which model it is does not matter.
  return std::ranges::any_of(algorithms(), [&](const Algorithm& each) {
    return each.name == algorithm && std::isfinite(time(2, 8, each, TimeModel()));
  });
}

Algorithm SimulatedOperation::chosen(int processors, std::int64_t block_bytes,
                                     const TimeModel* model) const {
  if (choose != nullptr) return choose(processors, block_bytes, model);
  return model != nullptr ? chosen_algorithm(name, processors, block_bytes, *model)
                          : chosen_algorithm(name, processors, block_bytes);
}

Algorithm SimulatedOperation::chosen(const Processor& self, std::int64_t block_bytes) const {
  if (choose_in_call != nullptr) return choose_in_call(self, block_bytes);
  return chosen_algorithm(name, self, block_bytes);
}

void SimulatedOperation::run(Processor& self, int root, std::size_t block_bytes,
                             const Algorithm& algorithm) const {
  const OperationTurn turn{
      .me = self.id(), .processors = self.count(), .root = root, .block_bytes = block_bytes};
  OperationData data;
  prepare(turn, data);
  call(self, turn, data, algorithm);
  if (right(turn, data)) return;
  throw std::logic_error(fmt::format("processor {} got a wrong result", self.id()));
}

Algorithm for_machine(Algorithm algorithm, int processors, const Rational& lambda, int ports) {
  if (algorithm.latency != Rational(0)) algorithm.latency = lambda;
  if (algorithm.ports == 0) return algorithm;
  algorithm.ports = ports;
  if (algorithm.radix != 0) algorithm.radix = std::clamp(ports + 1, 2, std::max(2, processors));
  return algorithm;
}

bool needs_levels(const Algorithm& algorithm) { return algorithm == Algorithm::level_tree; }

void check_room(const SimulatedOperation& operation, int processors, std::size_t block_bytes,
                std::uint64_t bytes_of_processor) {
  __extension__ using Wide = unsigned __int128;
  const auto blocks = static_cast<std::uint64_t>(operation.blocks_held(processors));
  const Wide each = Wide{blocks} * block_bytes + bytes_of_processor;
  const Wide all = each * static_cast<std::uint64_t>(processors);
  const auto needed = all > UINT64_MAX ? UINT64_MAX : static_cast<std::uint64_t>(all);
  check_memory(counted(processors, "processor"), needed);
}

}  // namespace postroom::cli
