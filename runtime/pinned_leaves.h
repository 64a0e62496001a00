// Which leaves of the box a machine is pinned to: those that the fewest other machines of this
// process are pinned to, so that machines side by side share none while others are free. A machine
// that is alone lies where place() puts it.
//
// A machine counts from its beginning to its end, at work or not, and once for each of its leaves.
// A forked child begins with none.
//
// Who may call: any thread. Cost: a lock, some comparisons for each leaf of the box.
//
//   const PinnedLeaves pinned(box, place(box, 2));
//   pinned.leaves();   // {0, 1}; of a second one meanwhile, on four cores, {2, 3}
#pragma once

#include <cstdint>
#include <vector>

#include "numa/placement.h"
#include "numa/topology.h"
#include "runtime/forks.h"

namespace postroom {

class PinnedLeaves {
 public:
  /// For so many threads as `alone` places, which is where they lie when there are no others.
  PinnedLeaves(const Topology& topology, const Placement& alone);
  ~PinnedLeaves();
  PinnedLeaves(const PinnedLeaves&) = delete;
  PinnedLeaves& operator=(const PinnedLeaves&) = delete;

  /// Of each thread; never falls.
  const std::vector<int>& leaves() const noexcept { return leaves_; }

 private:
  std::vector<int> leaves_;
  std::vector<int> cpus_;  // those of the leaves, each once
  const std::uint32_t forks_ = forks();
};

}  // namespace postroom
