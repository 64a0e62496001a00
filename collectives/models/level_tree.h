// The best broadcast tree that is known where latency depends on the level at which two processors
// meet, and a time below which there is none.
//
// The tree is the faster of two. One is the best that enters every subtree once
// (collectives/models/one_entry_tree.h); it is taken where the other is not faster. The other, for
// two levels, enters a node again while the first message is passed on inside. It can be faster by
// a few units, at the price of more messages across: two nodes of two with λ = 2 and 5 take 6 units
// and not 7. It is put together quickly where that succeeds (collectives/models/two_level_tree.h),
// and otherwise found, or found not to exist, by a search (collectives/models/two_level_search.h).
//
// What is proved, of all broadcasts, however often they enter a subtree:
//
//   one level    the tree is the λ-tree of [P] and takes the least time
//   two levels   none is faster than lower_bound() (proof: collectives/models/node_reach.h, and the
//                search where that is missed). Where steps() is equal to it the tree is therefore
//                optimal: is_proved_optimal(). So it is for two nodes always, and for all boxes
//                tried with up to 24 processors a node (level_tree.cc). Where the search gives
//                up, seen from 33 processors a node on, both numbers are all that is known
//   more levels  the tree is the best that enters every subtree once. lower_bound() is that of the
//                two levels which any cut through the box makes, with the least latencies below and
//                above it; it is seldom reached
//
// Levels of equal latency count as one.
//
// Cost: that of the two trees: milliseconds for boxes of some hundred processors, at most a tenth
// of a second for the search. Errors: as LevelLatency::check() and one_entry_tree().
//
//   const LevelTree tree({.children = {8, 4}, .latency = {2, 5}});   // 4 nodes of 8 cores
//   tree.steps();         // when the last processor has it
//   tree.sends(0);        // whom processor 0 sends to, in this order
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "collectives/models/level_latency.h"

namespace postroom {

class LevelTree {
 public:
  explicit LevelTree(const LevelLatency& box);

  int processors() const { return static_cast<int>(sends_.size()); }
  /// When the last processor has the message.
  std::int64_t steps() const { return steps_; }
  /// No broadcast takes less.
  std::int64_t lower_bound() const { return lower_bound_; }
  bool is_proved_optimal() const { return steps_ == lower_bound_; }
  /// The children of `processor` in the order in which it sends to them; processor 0 is the root.
  std::span<const int> sends(int processor) const {
    return sends_[static_cast<std::size_t>(processor)];
  }

 private:
  void try_two_levels(const LevelLatency& box);

  std::int64_t steps_ = 0;
  std::int64_t lower_bound_ = 0;
  std::vector<std::vector<int>> sends_;
};

/// No broadcast to `processors` takes less, where level h has λ_h = latency[h - 1] steps and no
/// subtree of level h more than size[h - 1] processors; the box may be uneven. Cuts below subtrees
/// of more than 1,024 are left out.
std::int64_t least_level_steps(int processors, std::span<const int> size,
                               std::span<const int> latency, int send_steps);

}  // namespace postroom
