// The subtrees of FatTree::balanced(leaves), worked out where they are needed, without the tree.
//
// Cost: O(1) each. Precondition: 0 <= leaf < leaves, 0 <= level <= ceil_log(leaves).
//
//   balanced_subtree(8, 5, 2);   // {4, 8}
//   balanced_sibling(8, 5, 2);   // {0, 4}
#pragma once

#include <cstdint>

namespace postroom {

/// Leaves or processors [first, last).
struct LeafSpan {
  int first = 0;
  int last = 0;

  constexpr int size() const { return last - first; }
  constexpr bool holds(int leaf) const { return first <= leaf && leaf < last; }
  friend constexpr bool operator==(const LeafSpan&, const LeafSpan&) = default;
};

/// L, the level of the root: ⌈log2 leaves⌉.
constexpr int balanced_levels(int leaves) {
  int levels = 0;
  while ((std::int64_t{1} << levels) < leaves) ++levels;
  return levels;
}

/// The subtree of `level` that holds `leaf`: of the 2^d subtrees at depth d, number j starts at
/// leaf ⌊j · leaves / 2^d⌋.
constexpr LeafSpan balanced_subtree(int leaves, int leaf, int level) {
  const int depth = balanced_levels(leaves) - level;
  const std::int64_t j = (((std::int64_t{leaf} + 1) << depth) - 1) / leaves;
  return {static_cast<int>((j * leaves) >> depth), static_cast<int>(((j + 1) * leaves) >> depth)};
}

/// What lies beside it below the same node of level + 1; may be empty at level 0.
/// Precondition: level < balanced_levels(leaves).
constexpr LeafSpan balanced_sibling(int leaves, int leaf, int level) {
  const LeafSpan own = balanced_subtree(leaves, leaf, level);
  const LeafSpan both = balanced_subtree(leaves, leaf, level + 1);
  return own.first == both.first ? LeafSpan{own.last, both.last} : LeafSpan{both.first, own.first};
}

/// Where two leaves meet.
constexpr int balanced_level(int leaves, int a, int b) {
  int level = 0;
  while (!balanced_subtree(leaves, a, level).holds(b)) ++level;
  return level;
}

}  // namespace postroom
