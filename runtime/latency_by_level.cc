#include "runtime/latency_by_level.h"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>

namespace postroom {

Latency latency_by_level(const FatTree& tree, const std::vector<Rational>& by_level) {
  if (static_cast<int>(by_level.size()) != tree.levels()) {
    throw std::invalid_argument("latency: " + std::to_string(by_level.size()) +
                                " values are not allowed; " + std::to_string(tree.levels()) +
                                ", one for each level");
  }
  for (std::size_t i = 1; i < by_level.size(); ++i) {
    if (by_level[i] < by_level[i - 1]) {
      throw std::invalid_argument("latency: " + to_string(by_level[i]) + " at level " +
                                  std::to_string(i + 1) + " is not allowed; at least " +
                                  to_string(by_level[i - 1]));
    }
  }
  if (by_level.empty()) return Rational(1);
  const auto levels = std::make_shared<const LatencyLevels>(LatencyLevels{tree, by_level});
  return {[levels](int source, int target) {
            const int level = std::max(1, levels->tree.level(source, target));
            return levels->by_level[static_cast<std::size_t>(level - 1)];
          },
          levels};
}

void require_leaves(const Latency& lambda, int processors) {
  const auto& levels = lambda.levels();
  if (levels == nullptr || processors <= levels->tree.leaf_count()) return;
  throw std::invalid_argument(
      "processors: " + std::to_string(processors) + " are not allowed; at most " +
      std::to_string(levels->tree.leaf_count()) + ", the leaves of the tree of the latency");
}

}  // namespace postroom
