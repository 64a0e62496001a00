// The phases of the fat-tree algorithms over all levels, as each processor sees them.
//
// Level by level from the root down, the two halves below every node exchange what they have for
// each other. The tree is FatTree::balanced(count): ⌈log2 p⌉ levels, halves that differ by one
// processor at most, every subtree a contiguous range of processors. Processors are numbered in the
// order of the box's leaves (numa/placement.h), so a subtree shares caches, then a NUMA node, then
// a package, as far as the box is regular.
//
// Source: [F], section 5. Phases follow each other as closely as packets on the tree do not meet;
// two rounds are lost from phase to phase.
#pragma once

#include <cstdint>

#include "fat_trees/fat_tree_halves.h"
#include "runtime/processor.h"

namespace postroom {

inline constexpr int kRoundsBetweenPhases = 2;

/// How many rounds the phase of `level` takes when every processor of a half sends at most once in
/// a round and all of the other half are served: the size of the largest half, ⌈p / 2^(L-level+1)⌉.
constexpr int fat_tree_phase_rounds(int processors, int level) {
  const int depth = balanced_levels(processors) - level + 1;
  return static_cast<int>((processors + (std::int64_t{1} << depth) - 1) >> depth);
}

/// The rounds in which somebody sends, of all phases.
constexpr std::int64_t fat_tree_busy_rounds(int processors) {
  std::int64_t rounds = 0;
  for (int level = balanced_levels(processors); level >= 1; --level) {
    rounds += fat_tree_phase_rounds(processors, level);
  }
  return rounds;
}

/// All rounds, those between the phases included.
constexpr std::int64_t fat_tree_rounds(int processors) {
  const int phases = balanced_levels(processors);
  return phases == 0 ? 0 : fat_tree_busy_rounds(processors) + kRoundsBetweenPhases * (phases - 1);
}

/// Calls `phase(own, other, rounds)` for each level, `own` and `other` being this processor's half
/// and its sibling (perhaps empty at the last level), `rounds` what the phase has to take.
template <class Phase>
void for_each_fat_tree_phase(Processor& self, const Phase& phase) {
  const int levels = balanced_levels(self.count());
  for (int level = levels; level >= 1; --level) {
    if (level < levels) self.sit_out(kRoundsBetweenPhases);
    phase(balanced_subtree(self.count(), self.id(), level - 1),
          balanced_sibling(self.count(), self.id(), level - 1),
          fat_tree_phase_rounds(self.count(), level));
  }
}

}  // namespace postroom
