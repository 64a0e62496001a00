// What several groups of processors cost that begin together and send nothing to each other: the
// rounds of the longest, in each the largest message of all.
//
// A step of a group is taken for rounds that are alike, as those of a broadcast of one list are.
//
// Cost: O(rounds) memory, and time for each group.
//
//   SideBySide level;
//   level.add(broadcast_cost(4, 100));
//   level.add(two_costs);   // one after the other
//   level.cost();
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "collectives/models/cost.h"

namespace postroom {

class SideBySide {
 public:
  /// One more group, with what it does step by step.
  void add(std::span<const Cost> steps) {
    std::size_t round = 0;
    for (const Cost& step : steps) {
      for (std::int64_t i = 0; i < step.rounds; ++i, ++round) {
        // What does not divide evenly goes into the first rounds.
        const std::int64_t bytes =
            step.bytes / step.rounds + (i < step.bytes % step.rounds ? 1 : 0);
        if (round == largest_.size()) largest_.push_back(0);
        largest_[round] = std::max(largest_[round], bytes);
      }
    }
  }
  void add(const Cost& step) { add(std::span(&step, 1)); }

  Cost cost() const {
    return {static_cast<std::int64_t>(largest_.size()),
            std::reduce(largest_.begin(), largest_.end())};
  }

 private:
  std::vector<std::int64_t> largest_;  // message of each round
};

}  // namespace postroom
