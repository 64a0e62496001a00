#include "collectives/route/route_grouping.h"

#include <algorithm>
#include <cstdint>

namespace postroom {

RouteCounts count_targets(std::span<const int> targets, int processors) {
  // By turns: 0.21 to 0.24 ns an element whatever the order of the targets; with four tables 0.20
  // to 0.35, with one 0.25 to 0.86.
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

bool are_hard_to_guess(std::span<const int> targets, const RouteCounts& counts) {
  constexpr std::size_t kSample = 64;
  constexpr std::size_t kFew = kSample / 16;
  if (targets.size() <= kSample) return false;
  const std::uint64_t most = std::ranges::max(counts);
  if (3 * most < targets.size() || most == targets.size()) return false;
  std::size_t alike = 0;
  for (std::size_t i = 0; i < kSample; ++i) {
    const std::size_t k = i * (targets.size() - 1) / kSample;
    if (targets[k] == targets[k + 1]) ++alike;
  }
  return alike >= kFew && alike <= kSample - kFew;
}

}  // namespace postroom
