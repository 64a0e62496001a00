#include "collectives/models/level_tree.h"

#include <algorithm>
#include <utility>

#include "collectives/models/node_reach.h"
#include "collectives/models/one_entry_tree.h"
#include "collectives/models/search_effort.h"
#include "collectives/models/two_level_search.h"
#include "collectives/models/two_level_tree.h"

namespace postroom {
namespace {

constexpr int kMostOfNode = TwoLevelSearch::kMostNodeSize;
constexpr std::int64_t kMostWork = 10'000'000;  // in steps, about a tenth of a second

/// How many processors subtrees of each level have.
std::vector<int> sizes_of(const LevelLatency& box) {
  std::vector<int> sizes;
  int size = 1;
  for (const int children : box.children) sizes.push_back(size *= children);
  return sizes;
}

/// N(t) = N(t-1) + N(t-λ): T_λ(p).
std::int64_t least_steps(int processors, int latency, int send_steps) {
  std::vector<std::int64_t> reach;
  for (std::int64_t time = 0;; ++time) {
    reach.push_back(time < latency ? 1 : reach[time - send_steps] + reach[time - latency]);
    if (reach.back() >= processors) return time;
  }
}

}  // namespace

std::int64_t least_level_steps(int processors, std::span<const int> size,
                               std::span<const int> latency, int send_steps) {
  if (latency.empty()) return 0;
  std::int64_t least = least_steps(processors, latency[0], send_steps);
  for (std::size_t i = 0; i + 1 < latency.size(); ++i) {
    if (latency[i + 1] == latency[0] || size[i] > kMostOfNode) continue;
    NodeReach reach({size[i], latency[0], latency[i + 1], send_steps});
    least = std::max(least, reach.least_time(processors));
  }
  return least;
}

LevelTree::LevelTree(const LevelLatency& given) {
  given.check();
  const LevelLatency box = given.merged();
  sends_.resize(box.processors());
  if (processors() == 1) return;

  OneEntryTree once = one_entry_tree(box);
  steps_ = once.steps;
  sends_ = std::move(once.sends);
  lower_bound_ = least_level_steps(processors(), sizes_of(box), box.latency, box.send_steps);
  if (box.children.size() == 2 && box.children[0] <= kMostOfNode) try_two_levels(box);
}

// Tried: 373,464 boxes of up to 40 nodes of 24 processors, with whole λ_1 up to 9 and λ_2 up to 16,
// with halves up to 7/2 and 8, thirds up to 3 and 20/3, fifths up to 12/5 and 6. In every one
// steps() is lower_bound(). In 57,024 boxes of up to 100 nodes of 48, with whole λ_1 up
// to 3 and λ_2 up to 6, the search gives up in 32.
void LevelTree::try_two_levels(const LevelLatency& box) {
  NodeReach reach({box.children[0], box.latency[0], box.latency[1], box.send_steps});
  const int nodes = box.children[1];
  SearchEffort effort(kMostWork);
  TwoLevelSearch search(reach, nodes, effort);
  for (std::int64_t time = lower_bound_; time < steps_; ++time) {
    auto found = two_level_tree(reach, nodes, time);
    if (!found && reach.most(time) < NodeReach::kPlenty) {
      try {
        found = search.tree(time);
        if (!found && time == lower_bound_) ++lower_bound_;
      } catch (const SearchTooLong&) {
        // It is not known whether there is one; the bound stays.
      }
    }
    if (!found) continue;
    sends_ = std::move(*found);
    steps_ = time;
  }
}

}  // namespace postroom
