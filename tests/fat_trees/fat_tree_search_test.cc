// Four leaves, every schedule there is: what the least number of steps really is.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <unordered_set>
#include <vector>

#include "fat_trees/fat_tree_bounds.h"
#include "fat_trees/fat_tree_formulas.h"
#include "fat_trees/fat_tree_network.h"
#include "fat_trees/fat_tree_schedules.h"
#include "fat_trees/total_exchange_schedule.h"
#include "numa/rounding.h"

namespace postroom {
namespace {

// --- Packets with one target each: scatter, total exchange.
//
// A state says for each packet how many branches it has crossed. A link that could carry a packet
// carries one: packets that are ahead are never worse off, since routers can keep any number.

class PacketSearch {
 public:
  PacketSearch(FatTree tree, const std::vector<std::pair<int, int>>& packets)
      : tree_(std::move(tree)) {
    for (const auto& [source, target] : packets) ways_.push_back(way(source, target));
  }

  bool can_finish_in(int steps) {
    steps_ = steps;
    State start(ways_.size(), 0);
    std::unordered_set<std::uint64_t> states{code(start)};
    for (int step = 0; step < steps; ++step) {
      std::unordered_set<std::uint64_t> next;
      for (const std::uint64_t state : states) {
        step_ = step;
        from_ = decode(state);
        to_ = from_;
        choose_links(0, next);
      }
      states = std::move(next);
    }
    return !states.empty();
  }

 private:
  using State = std::vector<std::uint8_t>;
  // Two for each node: the branch above it, upwards and downwards.
  using Link = int;

  std::vector<Link> way(int source, int target) const {
    std::vector<Link> links;
    const int meet = tree_.level(source, target);
    for (int level = 0; level < meet; ++level) links.push_back(2 * tree_.ancestor(source, level));
    for (int level = meet - 1; level >= 0; --level) {
      links.push_back(2 * tree_.ancestor(target, level) + 1);
    }
    return links;
  }

  std::uint64_t code(const State& state) const {
    std::uint64_t code = 0;
    for (const std::uint8_t at : state) code = code * 5 + at;
    return code;
  }
  State decode(std::uint64_t code) const {
    State state(ways_.size());
    for (std::size_t i = state.size(); i-- > 0; code /= 5) {
      state[i] = static_cast<std::uint8_t>(code % 5);
    }
    return state;
  }

  int capacity(Link link) const { return tree_.capacity_above(link / 2); }

  /// Goes through all choices of who crosses the links from `link` on.
  void choose_links(Link link, std::unordered_set<std::uint64_t>& next) {
    if (link == 2 * tree_.root()) {
      if (can_still_finish()) next.insert(code(to_));
      return;
    }
    std::vector<std::size_t> waiting;
    for (std::size_t i = 0; i < ways_.size(); ++i) {
      if (from_[i] < ways_[i].size() && ways_[i][from_[i]] == link) waiting.push_back(i);
    }
    const int count = std::min(capacity(link), static_cast<int>(waiting.size()));
    for (unsigned set = 0; set < 1u << waiting.size(); ++set) {
      if (__builtin_popcount(set) != count) continue;
      for (std::size_t k = 0; k < waiting.size(); ++k) to_[waiting[k]] += set >> k & 1;
      choose_links(link + 1, next);
      for (std::size_t k = 0; k < waiting.size(); ++k) to_[waiting[k]] -= set >> k & 1;
    }
  }

  /// No packet, and no link with the packets that still need it, needs more than the time that is
  /// left.
  bool can_still_finish() const {
    const int left = steps_ - step_ - 1;
    for (Link link = 0; link < 2 * tree_.root(); ++link) {
      int needed = 0, before = 9, after = 9;
      for (std::size_t i = 0; i < ways_.size(); ++i) {
        const int length = static_cast<int>(ways_[i].size());
        if (length - to_[i] > left) return false;
        for (int k = to_[i]; k < length; ++k) {
          if (ways_[i][k] != link) continue;
          ++needed;
          before = std::min(before, k - to_[i]);
          after = std::min(after, length - 1 - k);
        }
      }
      const int busy = ceil_divide(needed, capacity(link));
      if (needed > 0 && before + busy + after > left) return false;
    }
    return true;
  }

  FatTree tree_;
  std::vector<std::vector<Link>> ways_;
  int steps_ = 0, step_ = 0;
  State from_, to_;
};

/// The least number of steps, looked for from a value that is certainly too low.
int least_steps(PacketSearch search) {
  int steps = 1;
  while (!search.can_finish_in(steps)) ++steps;
  return steps;
}

std::vector<std::pair<int, int>> all_pairs(int n) {
  std::vector<std::pair<int, int>> pairs;
  for (int a = 0; a < n; ++a) {
    for (int b = 0; b < n; ++b) {
      if (a != b) pairs.emplace_back(a, b);
    }
  }
  return pairs;
}

TEST(FatTreeSearch, ScatterOfFourIsOptimal) {
  for (const FatTree& tree : {FatTree::balanced(4), FatTree::balanced(4).exponential()}) {
    EXPECT_EQ(least_steps({tree, {{0, 1}, {0, 2}, {0, 3}}}), scatter_steps(4));
    EXPECT_EQ(least_steps({tree, {{1, 0}, {2, 0}, {3, 0}}}), scatter_steps(4));
  }
}

TEST(FatTreeSearch, TotalExchangeOfFourOnTheEbftIsOptimal) {
  const FatTree ebft = FatTree::balanced(4).exponential();
  EXPECT_EQ(least_steps({ebft, all_pairs(4)}), simulate(ebft, total_exchange_schedule(ebft)).steps);
}

TEST(FatTreeSearch, TotalExchangeOfFourOnTheCbft) {
  const FatTree cbft = FatTree::balanced(4);
  const int least = least_steps({cbft, all_pairs(4)});
  EXPECT_EQ(least, total_exchange_bound(cbft));
  EXPECT_EQ(simulate(cbft, total_exchange_schedule(cbft)).steps, 8);
}

// --- Messages that are copied: broadcast from all.
//
// A state says for each of the four messages which nodes have it; any node may pass on, over each
// of its links, any message that it has.

class BroadcastSearch {
 public:
  explicit BroadcastSearch(const FatTree& tree) {
    for (int node = 0; node < tree.root(); ++node) {
      links_.push_back({node, tree.parent(node)});
      links_.push_back({tree.parent(node), node});
    }
  }

  bool can_finish_in(int steps) {
    State start{};
    for (int leaf = 0; leaf < 4; ++leaf) start[leaf] = static_cast<std::uint8_t>(1 << leaf);
    std::unordered_set<std::uint32_t> states{code(start)};
    for (int left = steps - 1; left >= 0; --left) {
      std::unordered_set<std::uint32_t> next;
      for (const std::uint32_t state : states) {
        from_ = decode(state);
        choose_links(0, from_, left, next);
      }
      states = std::move(next);
    }
    return !states.empty();
  }

 private:
  static constexpr int kNodes = 7;
  using State = std::array<std::uint8_t, kNodes>;  // by node, a bit for each message
  struct Link {
    int from, to;
  };

  static std::uint32_t code(const State& state) {
    std::uint32_t code = 0;
    for (const std::uint8_t messages : state) code = code << 4 | messages;
    return code;
  }
  static State decode(std::uint32_t code) {
    State state{};
    for (int node = kNodes - 1; node >= 0; --node, code >>= 4) {
      state[node] = static_cast<std::uint8_t>(code & 15);
    }
    return state;
  }

  void choose_links(std::size_t link, const State& to, int left,
                    std::unordered_set<std::uint32_t>& next) {
    if (link == links_.size()) {
      if (can_still_finish(to, left)) next.insert(code(to));
      return;
    }
    const auto [sender, receiver] = links_[link];
    const unsigned news = from_[sender] & ~from_[receiver] & 15u;
    if (news == 0) return choose_links(link + 1, to, left, next);
    for (int message = 0; message < 4; ++message) {
      if ((news >> message & 1) == 0) continue;
      State after = to;
      after[receiver] = static_cast<std::uint8_t>(after[receiver] | 1u << message);
      choose_links(link + 1, after, left, next);
    }
  }

  /// A leaf has one link; and what its router has not yet comes a step later.
  bool can_still_finish(const State& state, int left) const {
    for (int leaf = 0; leaf < 4; ++leaf) {
      const unsigned missing = ~state[leaf] & 15u;
      const unsigned far = missing & ~unsigned{state[links_[2 * leaf].to]};
      if (__builtin_popcount(missing) > left) return false;
      if (far != 0 && __builtin_popcount(far) + 1 > left) return false;
    }
    return true;
  }

  std::vector<Link> links_;
  State from_{};
};

TEST(FatTreeSearch, MultinodeBroadcastOfFourIsOptimal) {
  BroadcastSearch search(FatTree::balanced(4));
  EXPECT_FALSE(search.can_finish_in(4));
  EXPECT_TRUE(search.can_finish_in(5));
  EXPECT_EQ(scatter_steps(4), 5);
}

}  // namespace
}  // namespace postroom
