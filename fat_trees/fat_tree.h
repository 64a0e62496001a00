// A fat tree: processors at its leaves, routers above them, branches of several links.
//
// Level 0 are the leaves, the last level is the root. The branch above a node of level i-1 leads to
// level i and consists of c_i physical links; c_i never falls towards the root. Every leaf is as
// deep as the others; where a box has nothing to offer at some level, there is a router with a
// single child. So any number of leaves has a tree, not powers of the arity alone, and the way
// between two leaves that meet at level h always has 2h branches.
//
// Source: [F], Dimakopoulos and Dimopoulos, "Communications in Binary Fat Trees", section 2. There
// a node has b children and every subtree of a level as many leaves; here, for n leaves that are no
// power of b, the subtrees of a level differ by one leaf at most.
//
// Nodes are numbered level by level, from left to right: leaf i is node i, the root is the last.
// The leaves of a subtree, and the children of a node, are contiguous.
//
// Who may call: an immutable value; reading from several threads needs no lock.
// Cost: every question O(1), level(a, b) O(levels); made in O(leaves · levels) time and memory.
// Errors: std::invalid_argument for less than one leaf, an arity below 2, capacities that fall.
//
//   const FatTree tree = FatTree::balanced(8).with_capacities({1, 2, 3});
//   tree.levels();                    // 3
//   tree.level(0, 5);                 // 3: they meet at the root
//   tree.leaves(tree.ancestor(5, 2))  // {4, 8}
//   FatTree::balanced(8).exponential().capacities();  // {1, 2, 4}
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "numa/language.h"

namespace postroom {

class FatTree {
 public:
  /// `leaves` leaves below routers of `arity` children, spread as evenly as possible; all
  /// capacities are 1 (for two children the paper's CBFT, the simple binary tree).
  static FatTree balanced(int leaves, int arity = 2);
  /// From groups: `group_of_leaf[i - 1][leaf]` numbers the subtree of level i that holds the leaf.
  /// The numbers never fall, and who shares a group at one level shares it at the next. A root is
  /// added where the last level has several groups. All capacities are 1.
  static FatTree from_groups(int leaves, const std::vector<std::vector<int>>& group_of_leaf);

  /// The same tree with c_1, c_2, … as stated; each at least 1, none below the one before.
  FatTree with_capacities(std::vector<int> capacities) const;
  /// The same tree with a link for each leaf of the largest subtree of a level (on 2^L leaves c_i =
  /// 2^(i-1), the paper's EBFT).
  FatTree exponential() const;
  /// "constant", "exponential" or a list such as "1,2,4" as capacities of the same tree.
  FatTree with_named_capacities(std::string_view text) const;

  int leaf_count() const { return level_begin_[1]; }
  int node_count() const { return level_begin_.back(); }
  /// L: how many levels there are above the leaves; 0 for one leaf alone.
  int levels() const { return static_cast<int>(level_begin_.size()) - 2; }
  int root() const { return node_count() - 1; }
  /// The nodes [first, second) of `level`.
  std::pair<int, int> nodes(int level) const {
    return {at(level_begin_, level), at(level_begin_, level + 1)};
  }

  int level(int node) const { return at(level_of_node_, node); }
  /// Precondition: node != root().
  int parent(int node) const { return at(parents_, node); }
  /// The children [first, second), from left to right; of a leaf none.
  std::pair<int, int> children(int node) const {
    const int first = at(first_child_, node);
    return {first, first + at(child_count_, node)};
  }
  /// The leaves [first, second) of the subtree.
  std::pair<int, int> leaves(int node) const {
    return {at(first_leaf_, node), at(last_leaf_, node)};
  }
  int size(int node) const { return at(last_leaf_, node) - at(first_leaf_, node); }
  /// The node of `level` above `leaf`.
  int ancestor(int leaf, int level) const {
    return ancestors(level)[static_cast<std::size_t>(leaf)];
  }
  /// The same for all leaves.
  std::span<const int> ancestors(int level) const {
    const auto count = static_cast<std::size_t>(leaf_count());
    return std::span(ancestors_).subspan(static_cast<std::size_t>(level) * count, count);
  }
  /// Where the leaves meet; 0 when a == b.
  int level(int a, int b) const;

  /// c_level: the links of each branch between `level` - 1 and `level`, 1 <= level <= levels().
  int capacity(int level) const { return at(capacities_, level - 1); }
  /// The links of the branch above `node`. Precondition: node != root().
  int capacity_above(int node) const { return capacity(level(node) + 1); }
  /// c_1, c_2, …
  const std::vector<int>& capacities() const { return capacities_; }

  friend bool operator==(const FatTree& a, const FatTree& b) {
    return a.ancestors_ == b.ancestors_ && a.capacities_ == b.capacities_;
  }

 private:
  explicit FatTree(const std::vector<std::vector<int>>& group_of_leaf);

  static int at(const std::vector<int>& list, int i) { return list[static_cast<std::size_t>(i)]; }

  std::vector<int> level_begin_;  // by level, and the number of nodes
  std::vector<int> ancestors_;    // by level, then leaf
  std::vector<int> parents_, level_of_node_, first_child_, child_count_;  // by node
  std::vector<int> first_leaf_, last_leaf_;                               // by node
  std::vector<int> capacities_;                                           // c_1, c_2, …
};

/// ⌈log_base n⌉, in whole numbers: the levels of a balanced tree. Precondition: n >= 1, base >= 2.
int ceil_log(int n, int base = 2);

}  // namespace postroom
