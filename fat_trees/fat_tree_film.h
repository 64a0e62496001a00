// What happens on a fat tree step by step: what each branch carries, what waits for it.
//
// Filled while the packet model runs, by handing `observer()` to simulate, replay or
// study_fat_tree. Steps in which nothing moves are left out.
//
// Cost: O(nodes) time for each step; 40 bytes for each branch and step in which something moves or
// waits.
//
//   FatTreeFilm film;
//   simulate(tree, schedule, Duplex::full, film.observer());
//   film.frames().front().branches;   // of step 1
#pragma once

#include <cstdint>
#include <vector>

#include "fat_trees/fat_tree_network.h"

namespace postroom {

class FatTreeFilm {
 public:
  struct Branch {
    int node;        ///< below the branch
    UpDown carried;  ///< in this step
    UpDown waiting;  ///< after it
  };
  struct Frame {
    std::int64_t step;
    std::vector<Branch> branches;  ///< those at which something moves or waits
  };

  /// Refers to this film, which must outlive it and stay where it is.
  StepObserver observer() {
    return [this](const FatTreeNetwork& network) { add(network); };
  }
  const std::vector<Frame>& frames() const { return frames_; }

 private:
  void add(const FatTreeNetwork& network);

  std::vector<Frame> frames_;
  std::vector<UpDown> load_;  // after the last frame
};

}  // namespace postroom
