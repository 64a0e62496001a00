// The trees for two levels of latency against every broadcast there is, on small boxes.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>
#include <vector>

#include "collectives/models/level_tree.h"
#include "collectives/models/level_tree_of_box.h"
#include "collectives/models/node_reach.h"
#include "collectives/models/search_effort.h"
#include "collectives/models/two_level_search.h"
#include "fat_trees/fat_tree.h"
#include "runtime/latency_by_level.h"
#include "runtime/rational.h"

namespace postroom {
namespace {

/// Tries all broadcasts. Whoever has the message, knows first and is free sends to somebody of its
/// node, to somebody of any other node, or never again; processors of a node that do not have it
/// are alike, and so are nodes in the same state.
class AllBroadcasts {
 public:
  /// `sizes` of the nodes; the root is in the first one.
  AllBroadcasts(std::vector<int> sizes, int near, int far, int send_steps)
      : sizes_(std::move(sizes)), near_(near), far_(far), send_steps_(send_steps) {}

  bool has_one_within(int steps) {
    futile_.clear();
    Box box;
    for (const int size : sizes_) box.push_back({size, {}});
    inform(box[0], steps);
    return search(std::move(box));
  }

  int least_steps() {
    int steps = 0;
    while (!has_one_within(steps)) ++steps;
    return steps;
  }

 private:
  struct Node {
    int missing;               // processors that are not reached, nor about to be
    std::vector<int> senders;  // the time left of those that can still send, the most first
    auto operator<=>(const Node&) const = default;
  };
  using Box = std::vector<Node>;

  void inform(Node& node, int time) const {
    --node.missing;
    add_sender(node, time);
  }
  void add_sender(Node& node, int time) const {
    if (time < near_) return;
    node.senders.insert(std::ranges::upper_bound(node.senders, time, std::greater()), time);
  }

  bool search(Box box) {
    if (std::ranges::all_of(box, [](const Node& node) { return node.missing == 0; })) return true;
    std::ranges::sort(box);
    if (futile_.contains(box)) return false;
    const auto next = std::ranges::max_element(
        box, {}, [](const Node& node) { return node.senders.empty() ? -1 : node.senders.front(); });
    if (!next->senders.empty() && search_from(box, next - box.begin())) return true;
    futile_.insert(std::move(box));
    return false;
  }

  bool search_from(const Box& box, std::ptrdiff_t sender) {
    const int time = box[sender].senders.front();
    Box resting = box;
    resting[sender].senders.erase(resting[sender].senders.begin());
    for (std::ptrdiff_t target = 0; target < std::ssize(box); ++target) {
      const int latency = target == sender ? near_ : far_;
      const bool is_like_last =
          target > 0 && box[target] == box[target - 1] && target - 1 != sender && target != sender;
      if (box[target].missing == 0 || time < latency || is_like_last) continue;
      Box after = resting;
      inform(after[target], time - latency);
      add_sender(after[sender], time - send_steps_);
      if (search(std::move(after))) return true;
    }
    return search(std::move(resting));
  }

  std::vector<int> sizes_;
  int near_, far_, send_steps_;
  std::set<Box> futile_;
};

/// Calls check(near, far, send_steps) for many latencies, whole and not.
template <class Check>
void for_latencies(Check check) {
  for (int send_steps = 1; send_steps <= 3; ++send_steps) {
    for (int near = send_steps; near <= 3 * send_steps; ++near) {
      for (int far = near; far <= 3 * near + 2; ++far) {
        if (std::gcd(send_steps, std::gcd(near, far)) == 1) check(near, far, send_steps);
      }
    }
  }
}

TEST(LevelTreeOfTwoLevels, IsTheBestOfAllBroadcasts) {
  constexpr int kMostProcessors = 10;
  for (int nodes = 2; nodes <= kMostProcessors; ++nodes) {
    for (int size = 1; size * nodes <= kMostProcessors; ++size) {
      for_latencies([&](int near, int far, int send_steps) {
        const LevelTree tree({{size, nodes}, {near, far}, send_steps});
        EXPECT_TRUE(tree.is_proved_optimal());
        AllBroadcasts all(std::vector(nodes, size), near, far, send_steps);
        EXPECT_FALSE(all.has_one_within(static_cast<int>(tree.steps()) - 1))
            << nodes << " nodes of " << size << ", " << near << " and " << far << " steps, "
            << send_steps << " a send";
        EXPECT_TRUE(all.has_one_within(static_cast<int>(tree.steps())));
      });
    }
  }
}

TEST(LevelTreeOfTwoLevels, IsTheBestOfAllBroadcastsToMore) {
  for (const auto& [nodes, size] : {std::pair{2, 7}, {3, 5}, {4, 3}, {4, 4}, {5, 3}}) {
    for (const auto& [near, far] : {std::pair{1, 2}, {1, 4}, {2, 3}, {2, 5}, {3, 4}, {3, 8}}) {
      const LevelTree tree({{size, nodes}, {near, far}});
      EXPECT_TRUE(tree.is_proved_optimal());
      AllBroadcasts all(std::vector(nodes, size), near, far, 1);
      EXPECT_FALSE(all.has_one_within(static_cast<int>(tree.steps()) - 1))
          << nodes << " nodes of " << size << ", " << near << " and " << far;
    }
  }
}

/// Follows the tree; -1 if not everybody gets the message once.
std::int64_t finish(const std::vector<std::vector<int>>& sends, const NodeLatency& node) {
  std::vector<std::int64_t> known(sends.size(), -1);
  std::vector<int> order = {0};
  known[0] = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    std::int64_t start = known[order[i]];
    for (const int child : sends[order[i]]) {
      if (known[child] >= 0) return -1;
      const bool is_near = child / node.size == order[i] / node.size;
      known[child] = start + (is_near ? node.near : node.far);
      start += node.send_steps;
      order.push_back(child);
    }
  }
  return order.size() == sends.size() ? *std::ranges::max_element(known) : -1;
}

// By itself, without the quick tree and below the bound as well as above the least time, where much
// may be lost.
TEST(TwoLevelSearch, FindsATreeWhereThereIsOne) {
  constexpr int kMostProcessors = 8;
  for (int nodes = 2; nodes <= kMostProcessors; ++nodes) {
    for (int size = 1; size * nodes <= kMostProcessors; ++size) {
      for_latencies([&](int near, int far, int send_steps) {
        if (near == far) return;
        const NodeLatency node{size, near, far, send_steps};
        const int least =
            AllBroadcasts(std::vector(nodes, size), near, far, send_steps).least_steps();
        NodeReach reach(node);
        SearchEffort effort(std::int64_t{1} << 30);
        TwoLevelSearch search(reach, nodes, effort);
        for (int time = 0; time <= least + 2; ++time) {
          const auto tree = search.tree(time);
          ASSERT_EQ(tree.has_value(), time >= least)
              << nodes << " nodes of " << size << ", " << near << " and " << far << " steps, "
              << send_steps << " a send, within " << time;
          if (!tree) continue;
          const std::int64_t taken = finish(*tree, node);
          EXPECT_TRUE(taken >= least && taken <= time) << taken;
        }
      });
    }
  }
}

// The bound is for uneven boxes, too; there the tree may take more.
TEST(LevelTreeOfBox, UnevenNodesAreNotBelowTheBound) {
  int optimal = 0;
  int boxes = 0;
  for (const std::vector<int>& sizes :
       {std::vector{2, 1}, {3, 2}, {3, 2, 2}, {3, 3, 1}, {4, 1, 2}, {2, 2, 1, 1}, {1, 5}}) {
    std::vector<int> node_of;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      node_of.insert(node_of.end(), sizes[i], static_cast<int>(i));
    }
    const int processors = static_cast<int>(node_of.size());
    const FatTree tree =
        FatTree::from_groups(processors, {node_of, std::vector(node_of.size(), 0)});
    for_latencies([&](int near, int far, int send_steps) {
      const LatencyLevels levels{tree, {Rational(near, send_steps), Rational(far, send_steps)}};
      const LevelTreeOfBox found(levels, 0);
      const Rational least(AllBroadcasts(sizes, near, far, send_steps).least_steps(), send_steps);
      EXPECT_LE(found.lower_bound(), least);
      EXPECT_GE(found.time(), least);
      EXPECT_LE(found.time(), least * 2);
      ++boxes;
      optimal += found.time() == least ? 1 : 0;
    });
  }
  EXPECT_GE(optimal, boxes / 2);
  RecordProperty("optimal", optimal);
  RecordProperty("boxes", boxes);
}

}  // namespace
}  // namespace postroom
