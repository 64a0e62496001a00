// The binomial tree on any number of processors, with any of them as its root.
//
// Source: [P], section 2 (the tree that is optimal for λ = 1). Nodes are numbered from the root on:
// node n is processor root + n (mod processors). Node n has the children n + 1, n + 2, n + 4, …
// below n + reach(n), reach(n) being the lowest bit set in n. The subtree of n consists of the
// subtree(n) nodes from n on, so it is a cyclic range of processors.
//
//        0
//      / | \        .
//     1  2  4
//        |  | \     .
//        3  5  6
//
//   const BinomialTree tree(self.count(), root);
//   const int me = tree.node(self.id());
//   if (me != 0) self.receive_bytes(tree.processor(tree.parent(me)), data, where);
#pragma once

#include <algorithm>
#include <bit>

namespace postroom {

class BinomialTree {
 public:
  BinomialTree(int processors, int root) : processors_(processors), root_(root) {}

  int node(int processor) const {
    return processor >= root_ ? processor - root_ : processor - root_ + processors_;
  }
  int processor(int node) const {
    return node < processors_ - root_ ? node + root_ : node + root_ - processors_;
  }
  /// Precondition: node > 0.
  static int parent(int node) { return node & (node - 1); }
  /// The least power of two that is not a child's distance.
  int reach(int node) const {
    if (node != 0) return node & -node;
    return static_cast<int>(std::bit_ceil(static_cast<unsigned>(processors_)));
  }
  bool has_child(int node, int distance) const {
    return distance < reach(node) && node + distance < processors_;
  }
  /// How many nodes, itself included.
  int subtree(int node) const { return std::min(reach(node), processors_ - node); }

 private:
  int processors_;
  int root_;
};

}  // namespace postroom
