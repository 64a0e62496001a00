// The level tree by the numbers of the processors: for any box, even or not, and any root.
//
// The tree is made for the even box around this one, in which every node has as many children as
// the one with most (collectives/models/level_tree.h), and laid over the box from the root's node
// on: what the tree enters first is what has most processors. A place that nobody takes is left
// out, and the first of those that it would have sent to is sent to in its stead.
//
// What is promised: on an even box, time() is that of LevelTree, for every root. Otherwise every
// processor is reached once and time() is the time that is really taken, no more; it usually is
// that of the even box or less. lower_bound() holds for any box, so is_proved_optimal() does, too.
//
// A list that counts as u units occupies its sender for u, and is there λ_h + u - 1 after its
// start.
//
// Cost: that of LevelTree, and O(processors · levels). Where latencies are so fine, or lists so
// long, that a time of some thousand steps is needed for one message, the tree is made for
// latencies that are rounded up; times are exact all the same, and lower_bound() is that for λ_1
// everywhere. Errors: those of LevelTree, of which the number of processors is that of the even
// box: std::invalid_argument.
//
//   const LevelTreeOfBox tree({FatTree::balanced(4), {Rational(2), Rational(5)}}, 0);
//   tree.time();      // 6
//   tree.sends(0);    // 2, 3, 1
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/latency_by_level.h"
#include "runtime/rational.h"

namespace postroom {

class LevelTreeOfBox {
 public:
  /// Precondition: `root` is one of the processors, units >= 1.
  LevelTreeOfBox(const LatencyLevels& levels, int root, std::int64_t units = 1);

  int processors() const { return static_cast<int>(sends_.size()); }
  /// When the last processor has the message, in units.
  Rational time() const { return time_; }
  /// No broadcast in this box takes less.
  Rational lower_bound() const { return lower_bound_; }
  bool is_proved_optimal() const { return time_ == lower_bound_; }
  /// The children of `processor` in the order in which it sends to them.
  std::span<const int> sends(int processor) const { return sends_[processor]; }
  /// Who sends to `processor`; -1 for the root.
  int parent(int processor) const { return parents_[processor]; }
  /// In the round model, in which a processor sends once in each round.
  int rounds() const { return rounds_; }

 private:
  Rational time_ = 0;
  Rational lower_bound_ = 0;
  int rounds_ = 0;
  std::vector<std::vector<int>> sends_;
  std::vector<int> parents_;
};

}  // namespace postroom
