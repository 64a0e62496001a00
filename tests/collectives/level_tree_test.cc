// The tree for unequal latencies: against the postal model, against all broadcasts that enter a
// subtree once; against all there are in level_tree_search_test.cc.
#include "collectives/models/level_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <span>
#include <tuple>
#include <vector>

#include "collectives/models/one_entry_tree.h"
#include "fat_trees/fat_tree.h"
#include "runtime/latency_by_level.h"
#include "runtime/rational.h"
#include "tests/collectives/testing.h"

namespace postroom {
namespace {

using Sends = std::function<std::span<const int>(int processor)>;

int level_of(const LevelLatency& box, int a, int b) {
  int level = 0;
  for (; a != b; ++level) {
    a /= box.children[level];
    b /= box.children[level];
  }
  return level;
}

/// When the last processor has the message; checks that each gets it once.
std::int64_t finish(const LevelLatency& box, const Sends& sends) {
  std::vector<std::int64_t> known(box.processors(), -1);
  known[0] = 0;
  std::vector<int> order{0};
  for (std::size_t i = 0; i < order.size(); ++i) {
    std::int64_t start = known[order[i]];
    for (const int child : sends(order[i])) {
      EXPECT_EQ(known[child], -1) << "twice to " << child;
      known[child] = start + box.latency[level_of(box, order[i], child) - 1];
      start += box.send_steps;
      order.push_back(child);
    }
  }
  EXPECT_EQ(static_cast<int>(order.size()), box.processors());
  return *std::ranges::max_element(known);
}

std::int64_t finish(const LevelLatency& box, const LevelTree& tree) {
  return finish(box, [&](int processor) { return tree.sends(processor); });
}

/// Whether no subtree is entered twice.
bool enters_once(const LevelLatency& box, const Sends& sends) {
  int size = 1;
  for (const int children : box.children) {
    std::vector<int> entries(box.processors() / size, 0);
    for (int sender = 0; sender < box.processors(); ++sender) {
      for (const int child : sends(sender)) {
        if (child / size != sender / size) ++entries[child / size];
      }
    }
    if (std::ranges::any_of(entries, [](int count) { return count > 1; })) return false;
    size *= children;
  }
  return true;
}

TEST(LevelTree, TakesTheTimeItSays) {
  for (const std::vector<int>& children :
       {std::vector<int>{2, 3}, {8, 4}, {2, 8, 4}, {3, 1, 5}, {1, 7}, {2, 2, 2, 2}, {5, 2, 3}}) {
    for (const int first : {1, 2, 3}) {
      for (const int factor : {1, 2, 5}) {
        LevelLatency box{children, {}, 1};
        for (int latency = first; box.latency.size() < children.size(); latency *= factor) {
          box.latency.push_back(latency);
        }
        const LevelTree tree(box);
        EXPECT_EQ(finish(box, tree), tree.steps());
        EXPECT_LE(tree.lower_bound(), tree.steps());
        const OneEntryTree once = one_entry_tree(box);
        const Sends sends = [&](int processor) { return std::span(once.sends[processor]); };
        EXPECT_EQ(finish(box, sends), once.steps);
        EXPECT_TRUE(enters_once(box, sends));
        EXPECT_LE(tree.steps(), once.steps);
      }
    }
  }
}

// N_λ(t) = N_λ(t-1) + N_λ(t-λ) of the postal model, in steps of 1/f.
std::int64_t postal_steps(int processors, int latency, int send_steps) {
  std::vector<std::int64_t> reach;
  for (int t = 0;; ++t) {
    reach.push_back(t < latency ? 1 : reach[t - send_steps] + reach[t - latency]);
    if (reach.back() >= processors) return t;
  }
}

TEST(LevelTree, OfOneLevelIsTheLambdaTree) {
  for (int processors = 1; processors <= 60; ++processors) {
    for (const auto& [latency, send_steps] :
         {std::pair{1, 1}, {2, 1}, {3, 1}, {7, 1}, {9, 5}, {39, 20}}) {
      const LevelLatency box{{processors}, {latency}, send_steps};
      const LevelTree tree(box);
      EXPECT_EQ(tree.steps(), postal_steps(processors, latency, send_steps))
          << processors << ' ' << latency << '/' << send_steps;
      EXPECT_TRUE(tree.is_proved_optimal());
    }
  }
}

// Levels of equal latency are one level.
TEST(LevelTree, OfEqualLatenciesIsTheLambdaTree) {
  const LevelTree tree({{4, 4, 4}, {3, 3, 3}, 1});
  EXPECT_EQ(tree.steps(), postal_steps(64, 3, 1));
  EXPECT_TRUE(tree.is_proved_optimal());
}

/// Every broadcast that enters each subtree once, for few processors; whoever has the message and
/// is free sends to somebody who has not, or never again.
class AllOfOneEntry {
 public:
  explicit AllOfOneEntry(const LevelLatency& box) : box_(box) {
    for (const int children : box.children) processors_ *= children;
  }

  bool has_one_within(std::int64_t steps) {
    steps_ = steps;
    free_.assign(processors_, kUntouched);
    free_[0] = 0;
    return search(processors_ - 1);
  }

 private:
  static constexpr std::int64_t kUntouched = -1;
  static constexpr std::int64_t kNever = 1'000'000;

  bool search(int left) {
    if (left == 0) return true;
    int next = -1;
    for (int p = 0; p < processors_; ++p) {
      if (free_[p] != kUntouched && (next < 0 || free_[p] < free_[next])) next = p;
    }
    const std::int64_t now = free_[next];
    if (now == kNever) return false;
    for (std::size_t level = 0; level < box_.children.size(); ++level) {
      if (now + box_.latency[level] > steps_) continue;
      for (const int target : targets(next, level)) {
        free_[target] = now + box_.latency[level];
        free_[next] = now + box_.send_steps;
        const bool found = search(left - 1);
        free_[target] = kUntouched;
        free_[next] = now;
        if (found) return true;
      }
    }
    free_[next] = kNever;
    const bool found = search(left);
    free_[next] = now;
    return found;
  }

  /// The first processor of the first untouched subtree beside that of `processor`.
  std::vector<int> targets(int processor, std::size_t level) const {
    int size = 1;
    for (std::size_t i = 0; i < level; ++i) size *= box_.children[i];
    const int parent_size = size * box_.children[level];
    const int first = processor / parent_size * parent_size;
    std::vector<int> found;
    for (int subtree = first; found.empty() && subtree < first + parent_size; subtree += size) {
      const auto begin = free_.begin() + subtree;
      if (std::count(begin, begin + size, kUntouched) == size) found.push_back(subtree);
    }
    return found;
  }

  const LevelLatency& box_;
  int processors_ = 1;
  std::int64_t steps_ = 0;
  std::vector<std::int64_t> free_;
};

TEST(OneEntryTree, IsTheBestOfAllThatEnterEachSubtreeOnce) {
  for (const std::vector<int>& children :
       {std::vector<int>{2, 2}, {2, 3}, {3, 2}, {4, 2}, {2, 4}, {3, 3}, {2, 2, 2}}) {
    for (const int first : {1, 2}) {
      for (const int more : {0, 1, 3}) {
        LevelLatency box{children, {}, 1};
        for (std::size_t i = 0; i < children.size(); ++i) {
          box.latency.push_back(first + more * static_cast<int>(i));
        }
        const std::int64_t steps = one_entry_tree(box).steps;
        AllOfOneEntry all(box);
        EXPECT_TRUE(all.has_one_within(steps));
        EXPECT_FALSE(all.has_one_within(steps - 1))
            << testing::PrintToString(children) << ' ' << first << '+' << more;
      }
    }
  }
}

// Where parts of nodes have to fit together.
TEST(LevelTree, OfTwoLevelsIsProvedOptimal) {
  for (const auto& [near, far, send_steps] :
       {std::tuple{1, 2, 1}, {1, 3, 1}, {2, 5, 1}, {3, 4, 1}, {2, 9, 1}, {5, 12, 5}, {9, 20, 4}}) {
    for (int size = 1; size <= 12; ++size) {
      for (int nodes = 2; nodes <= 12; ++nodes) {
        const LevelLatency box{{size, nodes}, {near, far}, send_steps};
        const LevelTree tree(box);
        EXPECT_EQ(finish(box, tree), tree.steps());
        EXPECT_TRUE(tree.is_proved_optimal()) << nodes << " nodes of " << size;
      }
    }
  }
}

struct SearchedBox {
  LevelLatency box;
  std::int64_t reach;  // no broadcast below, by NodeReach alone
  std::int64_t steps;
};

// The bound of NodeReach cannot be met, or not by the quick way to put parts together.
TEST(LevelTree, OfTwoLevelsIsFoundBySearch) {
  for (const auto& [box, reach, steps] : {SearchedBox{{{5, 11}, {1, 3}}, 8, 9},
                                          {{{5, 16}, {1, 5}}, 11, 12},
                                          {{{9, 14}, {1, 2}}, 8, 9},
                                          {{{9, 14}, {2, 5}, 2}, 17, 19},
                                          {{{5, 11}, {2, 7}, 2}, 17, 19},
                                          {{{13, 19}, {1, 3}}, 10, 11},
                                          {{{19, 27}, {1, 2}}, 10, 11},
                                          {{{17, 30}, {5, 12}, 5}, 52, 57},
                                          {{{21, 24}, {1, 2}}, 10, 10},
                                          {{{21, 24}, {1, 5}}, 13, 13},
                                          {{{9, 33}, {2, 8}}, 19, 19},
                                          {{{9, 24}, {9, 27}, 5}, 76, 76}}) {
    const LevelTree tree(box);
    const int processors = box.children[0] * box.children[1];
    const std::vector<int> sizes = {box.children[0], processors};
    EXPECT_EQ(least_level_steps(processors, sizes, box.latency, box.send_steps), reach);
    EXPECT_EQ(tree.steps(), steps) << testing::PrintToString(box.children);
    EXPECT_TRUE(tree.is_proved_optimal()) << testing::PrintToString(box.children);
    EXPECT_EQ(finish(box, tree), steps);
  }
}

// Too large to be searched to the end: the bound holds, and the tree is a tree.
TEST(LevelTree, OfTwoLevelsGivesUpInTime) {
  const LevelLatency box{.children = {43, 85}, .latency = {1, 5}};
  const LevelTree tree(box);
  EXPECT_EQ(finish(box, tree), tree.steps());
  EXPECT_EQ(tree.lower_bound(), 16);
  EXPECT_LE(tree.steps(), 17);
}

TEST(LevelTree, LatenciesRefuseOtherLevels) {
  const FatTree tree = FatTree::balanced(4);
  EXPECT_EQ(refusal([&] { (void)latency_by_level(tree, {Rational(1)}); }),
            "latency: 1 values are not allowed; 2, one for each level");
  EXPECT_EQ(refusal([&] {
              (void)latency_by_level(tree, {Rational(3), Rational(5, 2)});
            }),
            "latency: 5/2 at level 2 is not allowed; at least 3");
  EXPECT_EQ(latency_by_level(tree, {Rational(2), Rational(5)}).of(1, 1), Rational(2));
  EXPECT_EQ(latency_by_level(tree, {Rational(2), Rational(5)}).of(1, 2), Rational(5));
  EXPECT_EQ(latency_by_level(FatTree::balanced(1), {}).of(0, 0), Rational(1));
  EXPECT_EQ(latency_by_level(tree, {Rational(2), Rational(5)}).levels()->tree, tree);
}

TEST(LevelTree, RefusesWhatIsNoBox) {
  const auto said = [](LevelLatency box) { return refusal([&] { (void)LevelTree(box); }); };
  EXPECT_EQ(said({{2, 2}, {1}, 1}),
            "level tree: number of latencies 1 is not allowed; 2, one for each level");
  EXPECT_EQ(said({{2}, {1}, 0}), "level tree: send_steps 0 is not allowed; at least 1");
  EXPECT_EQ(said({{2, 2}, {3, 2}, 1}), "level tree: latency 2 is not allowed; at least 3");
  EXPECT_EQ(said({{2}, {4}, 5}), "level tree: latency 4 is not allowed; at least 5");
  EXPECT_EQ(said({{0}, {4}, 1}), "level tree: children 0 is not allowed; at least 1");
  EXPECT_EQ(said({{100, 100, 2}, {1, 2, 3}, 1}),
            "level tree: subtrees below the last level 10000 is not allowed; at most 4096");
  EXPECT_EQ(said({{100, 100'000}, {1, 1}, 1}),
            "level tree: processors 10000000 is not allowed; at most 1048576");
  EXPECT_EQ(LevelTree({{}, {}, 1}).processors(), 1);
}

}  // namespace
}  // namespace postroom
