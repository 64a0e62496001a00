// An order of the processors: which of them takes which place in a tree or a ring.
//
// Source: [P], section 2.6, the experiment on congestion. Trees whose subtrees are ranges of places
// do not cross each other's paths when the places follow the box; in a random order they do.
// Machine numbers its processors along the leaves of the box, so the natural order is that of the
// fat tree; by_leaf() is for processors that were placed in another way.
//
//   broadcast_lambda_tree(self, root, data, tree, ProcessorOrder::random(self.count(), 1));
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace postroom {

class ProcessorOrder {
 public:
  /// 0, 1, 2, …
  static ProcessorOrder natural(int processors);
  /// Along the leaves of the box; `leaf_of_processor` as in Placement.
  static ProcessorOrder by_leaf(std::span<const int> leaf_of_processor);
  /// Drawn with `seed`; the same on every processor.
  static ProcessorOrder random(int processors, std::uint64_t seed);
  /// Place i is for processors[i]. Throws std::invalid_argument unless each occurs once.
  explicit ProcessorOrder(std::vector<int> processors);

  int processors() const { return static_cast<int>(processor_at_.size()); }
  int processor(int place) const { return processor_at_[static_cast<std::size_t>(place)]; }
  int place(int processor) const { return place_of_[static_cast<std::size_t>(processor)]; }

 private:
  std::vector<int> processor_at_;
  std::vector<int> place_of_;
};

}  // namespace postroom
