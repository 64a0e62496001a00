// Broadcast of a list in m blocks, in the postal model: a tree of single messages leaves the ports
// of most processors idle, several messages fill them.
//
// Source: A. Bar-Noy and S. Kipnis, "Designing Broadcasting Algorithms in the Postal Model for
// Message-Passing Systems", 1994. The unit of time is what a sender needs for one block; λ is the
// latency of a block. T_λ as in [P], p processors:
//
//   plan       how                                                           time, at most
//   repeat     block after block on the λ-tree                               m T_λ(p) - (m-1)(λ-1)
//   pack       one message, on the tree for λ' = 1 + (λ-1)/m                 m T_λ'(p)
//   pipeline   the m blocks to one child, then to the next; a child passes   m T_(λ/m)(p) + m-1 for
//              on what it has so far. For m > λ it is free before its        m <= λ, else
//              parent, so it gets the larger part                            λ T_(m/λ)(p) + λ-1
//   d_tree     block after block to each of d children; h is the height      d(m-1) + h(d-1+λ)
//
// No broadcast is faster than m - 1 + T_λ(p). Often repeat, for one, is earlier than its bound,
// since no processor waits for the others to be through with a block.
//
// Cost: time() and cost() O(p m) steps and memory. Errors: std::invalid_argument for λ < 1, m < 1,
// d < 1, p < 1.
//
//   const BlockPlan plan = BlockPlan::pipeline(Rational(9, 5), 32, machine.processors());
//   machine.run([&](Processor& self) { broadcast_blocks(self, 0, data, plan); });
#pragma once

#include <cstdint>

#include "collectives/models/cost.h"
#include "collectives/models/postal_tree.h"
#include "collectives/models/time_model.h"
#include "runtime/processor.h"
#include "runtime/rational.h"

namespace postroom {

class BlockPlan {
 public:
  static BlockPlan repeat(Rational latency, int blocks, int processors);
  static BlockPlan pack(Rational latency, int blocks, int processors);
  static BlockPlan pipeline(Rational latency, int blocks, int processors);
  static BlockPlan d_tree(int children, int blocks, int processors);

  const PostalTree& tree() const { return tree_; }
  /// In how many messages the list travels: 1 for pack.
  int messages() const { return messages_; }
  /// All blocks to one child before the next child, or to all children before the next block.
  bool child_by_child() const { return child_by_child_; }

  /// When the last processor has the last of `bytes` in a TimeModel, in nanoseconds.
  double time(std::int64_t bytes, const TimeModel& model) const;
  /// In the round model.
  Cost cost(std::int64_t bytes) const;

 private:
  BlockPlan(PostalTree tree, int messages, bool child_by_child)
      : tree_(std::move(tree)), messages_(messages), child_by_child_(child_by_child) {}

  PostalTree tree_;
  int messages_;
  bool child_by_child_;
};

/// `root` gets the place of the tree's root, the other processors follow it cyclically. Throws
/// std::invalid_argument, before anything is sent, for a root that there is not and where the plan
/// is for another number of processors.
void broadcast_blocks(Processor& self, int root, Bytes data, const BlockPlan& plan,
                      Where where = Where::current());

}  // namespace postroom
