#include "collectives/route_grouping.h"

namespace postroom {

RouteCounts count_targets(std::span<const int> targets, int processors) {
  constexpr std::size_t kTables = 8;
  std::array<RouteCounts, kTables> tables;
  for (RouteCounts& table : tables) table.resize(static_cast<std::size_t>(processors));
  std::size_t k = 0;
  for (; k + kTables <= targets.size(); k += kTables) {
    for (std::size_t i = 0; i < kTables; ++i) {
      ++tables[i][static_cast<std::size_t>(targets[k + i])];
    }
  }
  for (; k < targets.size(); ++k) ++tables[0][static_cast<std::size_t>(targets[k])];
  RouteCounts& counts = tables[0];
  for (std::size_t i = 1; i < kTables; ++i) {
    for (std::size_t target = 0; target < counts.size(); ++target) {
      counts[target] += tables[i][target];
    }
  }
  return counts;
}

}  // namespace postroom
