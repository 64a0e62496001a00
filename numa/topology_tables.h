// What Topology answers from: the leaves numbered, the levels merged, the nodes' distances, all as
// flat tables made once from a Tree. Immutable afterwards.
//
// Cost: O(objects + leaves · levels + nodes²).
// Errors: std::invalid_argument when the tree contradicts itself.
#pragma once

#include <string>
#include <vector>

#include "numa/topology.h"
#include "numa/tree.h"

namespace postroom {

struct LeafRange {
  int first = 0;
  int last = 0;  ///< one past

  bool contains(const LeafRange& other) const { return first <= other.first && other.last <= last; }
};

struct TopologyTables {
  explicit TopologyTables(Tree from);

  const LeafRange& subtree(int leaf, int level) const {
    return subtrees[static_cast<std::size_t>(leaf) * level_parts.size() + level];
  }
  /// The lowest level at which the ancestor of range.first covers `range`.
  int level_covering(const LeafRange& range) const;

  Tree tree;
  std::vector<Leaf> leaves;
  int cores = 0;
  int packages = 0;
  std::vector<std::vector<std::string>> level_parts;  // by level
  std::vector<std::string> level_names;               // by level
  std::vector<LeafRange> subtrees;                    // by leaf, then level
  std::vector<LeafRange> node_leaves;                 // by node: the leaves below where it hangs
  std::vector<int> distances;                         // by node, then node
};

}  // namespace postroom
