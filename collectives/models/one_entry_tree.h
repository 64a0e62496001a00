// The best broadcast tree that enters every subtree of a box by one message only.
//
// Each subtree is then served from inside: no branch carries more than it has to, which is what
// makes the tree free of congestion ([P], section 2.6).
//
// What is proved: among the broadcasts that enter every subtree once, this one takes the least
// time, for any number of levels and any λ_h. For, what a processor has to do is described by how
// many subtrees are left for it and its children to enter at each level; with time t left it sends
// to a level or it is done, and whoever it sends to takes part of what is left over:
//
//   G(t; j_1 … j_(L-1)) = most subtrees of the last level but one that can be entered in time t
//                         from a processor that is responsible for j_h - 1 others at each level
//                         h < L
//
// (a dynamic program, solved exactly; sending later than possible or to somebody who has it never
// helps). With a single level it is the λ-tree of [P] and takes T_λ(k), the least of all
// broadcasts.
//
// Cost: O(T (k_1 … k_(L-1))²) for the optimal time T in steps, once; O(processors) memory for the
// tree. Some milliseconds for 2 · 8 · 4 processors. Errors: more than 4,096 subtrees to keep count
// of: std::invalid_argument. Precondition: box.check() passes, there are two processors.
#pragma once

#include <cstdint>
#include <vector>

#include "collectives/models/level_latency.h"

namespace postroom {

struct OneEntryTree {
  std::int64_t steps = 0;  ///< when the last processor has the message
  /// Whom each processor sends to, in this order; processor 0 is the root.
  std::vector<std::vector<int>> sends;
};

OneEntryTree one_entry_tree(const LevelLatency& box);

}  // namespace postroom
