// In which order a processor deals with all others on a box of several NUMA nodes or packages:
// nearest first, every subtree finished inside before anything crosses its border.
//
// Level by level from its own place up: with the subtrees beside its own, one after another,
// cyclically, and there with one processor after another, beginning with the one at its own place.
// In a round everybody sends to one and receives from one (or nobody, where subtrees differ in
// size), and who sends to whom agrees on both sides. Where Processor::box() has no
// order, round i is with the processors i further and i before: the order of the caches of one node
// gains nothing, since a block is read once and written once.
//
// Source: the phases of [F], section 5, from the inside to the outside, for any tree.
// Cost: O(1) for each round and child of a node, no memory.
//
//   for_each_partner(self, [&](int target, int source) { … });   // kNobody where there is none
#pragma once

#include <algorithm>
#include <utility>

#include "fat_trees/box_tree.h"
#include "runtime/processor.h"

namespace postroom {

inline constexpr int kNobody = -1;

/// Calls `visit(target, source)` for each round in which `self` has one of them.
template <class Visit>
void for_each_partner(const Processor& self, const Visit& visit) {
  const int p = self.count();
  const int me = self.id();
  const BoxTree* const box = self.is_flat() ? nullptr : self.box();
  if (box == nullptr || !box->has_order()) {
    // A division takes as long as a third of a message that is small and near.
    for (int round = 1; round < p; ++round) {
      const int target = me + round < p ? me + round : me + round - p;
      const int source = me - round >= 0 ? me - round : me - round + p;
      visit(target, source);
    }
    return;
  }
  const FatTree& tree = box->tree;
  for (int level = 1; level <= tree.levels(); ++level) {
    const auto [first, last] = tree.children(tree.ancestor(me, level));
    const int own = tree.ancestor(me, level - 1);
    const int children = last - first;
    int rounds = 0;
    for (int child = first; child < last; ++child) rounds = std::max(rounds, tree.size(child));
    const int place = me - tree.leaves(own).first;
    const auto processor_at = [&](int child, int i) {
      return i < tree.size(child) ? tree.leaves(child).first + i : kNobody;
    };
    for (int turn = 1; turn < children; ++turn) {
      const int to = first + (own - first + turn) % children;
      const int from = first + (own - first + children - turn) % children;
      for (int round = 0; round < rounds; ++round) {
        const int target = processor_at(to, (place + round) % rounds);
        const int source = processor_at(from, (place + rounds - round) % rounds);
        if (target != kNobody || source != kNobody) visit(target, source);
      }
    }
  }
}

}  // namespace postroom
