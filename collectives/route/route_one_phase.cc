#include "collectives/route/route_one_phase.h"

namespace postroom {

OnePhaseStep one_phase_step(int step, int processor, int processors) noexcept {
  if (std::has_single_bit(static_cast<unsigned>(processors))) {
    return {step ^ processor, step ^ processor};
  }
  return {(processor + step) % processors, (processor + processors - step) % processors};
}

Cost route_one_phase_cost(int processors, std::span<const std::uint64_t> counts,
                          std::size_t element_bytes, const TimeModel* model) {
  Cost cost = exchange_counts_cost(processors, model);
  for (int step = 1; step < processors; ++step) {
    std::uint64_t most = 0;
    for (int source = 0; source < processors; ++source) {
      const auto row = static_cast<std::size_t>(source) * static_cast<std::size_t>(processors);
      const auto target = static_cast<std::size_t>(one_phase_step(step, source, processors).target);
      most = std::max(most, counts[row + target]);
    }
    cost += Cost::round(most * element_bytes);
  }
  return cost;
}

std::vector<std::size_t> begins_of(const RouteCounts& counts) {
  std::vector<std::size_t> begins(counts.size() + 1);
  std::inclusive_scan(counts.begin(), counts.end(), begins.begin() + 1);
  return begins;
}

}  // namespace postroom
