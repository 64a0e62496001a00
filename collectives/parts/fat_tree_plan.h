// What each processor does in each round of a total exchange on a given fat tree.
//
// Made once, before the run, and read by all processors: for thin branches the rounds depend on all
// that goes on in the tree, and no processor could work out its own without the others'.
//
// Cost: the schedule, and 16 bytes for each block sent or received, p (p - 1) · 32 bytes in all.
//
//   const FatTreePlan plan(FatTree::balanced(8).with_capacities({1, 1, 3}));
//   machine.run([&](Processor& self) {
//     alltoall_planned(self, bytes_of(send), writable_bytes_of(receive), plan);
//   });
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fat_trees/fat_tree.h"
#include "fat_trees/total_exchange_schedule.h"

namespace postroom {

class FatTreePlan {
 public:
  struct Transfer {
    std::int64_t round;  ///< from 1
    int peer;
    bool sends;  ///< to the peer; otherwise receives from it
  };

  explicit FatTreePlan(const FatTree& tree, ExchangeOrder order = ExchangeOrder::kAny,
                       Phases phases = Phases::kPipelined);

  int processors() const { return static_cast<int>(transfers_.size()); }
  /// By round.
  std::span<const Transfer> of(int processor) const { return transfers_[processor]; }

 private:
  std::vector<std::vector<Transfer>> transfers_;  // by processor
};

}  // namespace postroom
