#include "fat_trees/fat_tree_formulas.h"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>

#include "numa/rounding.h"

namespace postroom {
namespace {

/// L.
int levels_of(int leaves) {
  if (leaves < 1 || !std::has_single_bit(static_cast<unsigned>(leaves))) {
    throw std::invalid_argument("fat tree: " + std::to_string(leaves) +
                                " leaves are not allowed in this formula; a power of two");
  }
  return std::countr_zero(static_cast<unsigned>(leaves));
}

}  // namespace

std::vector<int> effective_capacities(std::vector<int> capacities) {
  for (std::size_t i = 1; i < capacities.size(); ++i) {
    const std::int64_t below = std::int64_t{2} * capacities[i - 1];
    capacities[i] = static_cast<int>(std::min<std::int64_t>(capacities[i], below));
  }
  return capacities;
}

std::int64_t broadcast_steps(int leaves) { return 2 * levels_of(leaves); }

std::int64_t scatter_steps(int leaves) {
  const int levels = levels_of(leaves);
  return levels < 2 ? 2 * levels : leaves + 1;
}

std::int64_t multinode_queueless_steps(int leaves) {
  const int levels = levels_of(leaves);
  return levels == 0 ? 0 : leaves + 2 * levels - 2;
}

std::int64_t consecutive_scatters_steps(int leaves) { return leaves * scatter_steps(leaves); }

std::int64_t total_exchange_steps(int leaves, const std::vector<int>& capacities, Phases phases) {
  const int levels = levels_of(leaves);
  if (static_cast<int>(capacities.size()) != levels) {
    throw std::invalid_argument("capacities: " + std::to_string(capacities.size()) +
                                " are not allowed; " + std::to_string(levels) +
                                ", one for each level");
  }
  if (levels == 0) return 0;
  const std::vector<int> usable = effective_capacities(capacities);
  std::int64_t steps = phases == Phases::kApart ? levels * levels : 2 * levels - 1;
  for (int i = 1; i <= levels; ++i) {
    steps += ceil_divide<std::int64_t>(std::int64_t{1} << (2 * (i - 1)), usable[i - 1]);
  }
  return steps;
}

}  // namespace postroom
