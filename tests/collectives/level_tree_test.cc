// The tree for unequal latencies: against the postal model, against all broadcasts there are, and
// as a program.
#include "collectives/level_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "collectives/broadcast_level_tree.h"
#include "numa/fat_tree.h"
#include "runtime/latency_by_level.h"
#include "runtime/machine.h"
#include "runtime/rational.h"
#include "runtime/virtual_clock.h"
#include "tests/collectives/testing.h"

namespace postroom {
namespace {

int level_of(const LevelLatency& box, int a, int b) {
  int level = 0;
  for (; a != b; ++level) {
    a /= box.children[level];
    b /= box.children[level];
  }
  return level;
}

/// When the last processor has the message; checks that each gets it once, and each subtree is
/// entered once.
std::int64_t finish(const LevelLatency& box, const LevelTree& tree) {
  std::vector<std::int64_t> known(tree.processors(), -1);
  known[0] = 0;
  std::vector<int> order{0};
  for (std::size_t i = 0; i < order.size(); ++i) {
    std::int64_t start = known[order[i]];
    for (const int child : tree.sends(order[i])) {
      EXPECT_EQ(known[child], -1) << "twice to " << child;
      EXPECT_EQ(tree.parent(child), order[i]);
      known[child] = start + box.latency[level_of(box, order[i], child) - 1];
      start += box.send_steps;
      order.push_back(child);
    }
  }
  EXPECT_EQ(static_cast<int>(order.size()), tree.processors());
  int size = 1;
  for (const int children : box.children) {
    std::vector<int> entries(tree.processors() / size, 0);
    for (int p = 1; p < tree.processors(); ++p) {
      if (tree.parent(p) / size != p / size) ++entries[p / size];
    }
    for (std::size_t i = 1; i < entries.size(); ++i) EXPECT_EQ(entries[i], 1);
    EXPECT_EQ(entries[0], 0);
    size *= children;
  }
  return *std::ranges::max_element(known);
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
      EXPECT_EQ(LevelTree(box).steps(), postal_steps(processors, latency, send_steps))
          << processors << ' ' << latency << '/' << send_steps;
    }
  }
}

// No broadcast is faster than that of the postal model with the smallest λ everywhere.
TEST(LevelTree, IsNotFasterThanThePostalModel) {
  const LevelLatency box{{4, 4, 4}, {3, 3, 3}, 1};
  EXPECT_GE(LevelTree(box).steps(), postal_steps(64, 3, 1));
}

enum class Entries { kOne, kAnyNumber };

/// Every broadcast that enters each subtree once, or as often as it likes, for few processors;
/// whoever has the message and is free sends to somebody who has not, or never again.
class AllBroadcasts {
 public:
  explicit AllBroadcasts(const LevelLatency& box, Entries entries = Entries::kOne)
      : box_(box), entries_(entries) {
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

  /// The first untouched processor of the first untouched subtree beside that of `processor`, and
  /// where subtrees may be entered again also those of the others.
  std::vector<int> targets(int processor, std::size_t level) const {
    int size = 1;
    for (std::size_t i = 0; i < level; ++i) size *= box_.children[i];
    const int parent_size = size * box_.children[level];
    const int first = processor / parent_size * parent_size;
    std::vector<int> found;
    bool has_fresh = false;
    for (int subtree = first; subtree < first + parent_size; subtree += size) {
      const auto begin = free_.begin() + subtree;
      const auto untouched = std::find(begin, begin + size, kUntouched);
      if (subtree == processor / size * size || untouched == begin + size) continue;
      const bool is_fresh = std::count(begin, begin + size, kUntouched) == size;
      if (is_fresh ? has_fresh : entries_ == Entries::kOne) continue;
      has_fresh |= is_fresh;
      found.push_back(static_cast<int>(untouched - free_.begin()));
    }
    return found;
  }

  const LevelLatency& box_;
  Entries entries_;
  int processors_ = 1;
  std::int64_t steps_ = 0;
  std::vector<std::int64_t> free_;
};

TEST(LevelTree, IsTheBestOfAllThatEnterEachSubtreeOnce) {
  for (const std::vector<int>& children :
       {std::vector<int>{2, 2}, {2, 3}, {3, 2}, {4, 2}, {2, 4}, {3, 3}, {2, 2, 2}}) {
    for (const int first : {1, 2}) {
      for (const int more : {0, 1, 3}) {
        LevelLatency box{children, {}, 1};
        for (std::size_t i = 0; i < children.size(); ++i) {
          box.latency.push_back(first + more * static_cast<int>(i));
        }
        const std::int64_t steps = LevelTree(box).steps();
        AllBroadcasts all(box);
        EXPECT_TRUE(all.has_one_within(steps));
        EXPECT_FALSE(all.has_one_within(steps - 1))
            << testing::PrintToString(children) << ' ' << first << '+' << more;
      }
    }
  }
}

// What the header says of broadcasts that are not considered.
TEST(LevelTree, EnteringASubtreeAgainCanBeFaster) {
  for (const auto& [box, once, again] : {std::tuple{LevelLatency{{2, 2}, {2, 5}, 1}, 7, 6},
                                         {LevelLatency{{4, 2}, {3, 4}, 1}, 9, 7},
                                         {LevelLatency{{3, 3}, {1, 1}, 1}, 4, 4},
                                         {LevelLatency{{3, 3}, {2, 4}, 1}, 8, 7}}) {
    SCOPED_TRACE(testing::PrintToString(box.latency));
    EXPECT_EQ(LevelTree(box).steps(), once);
    AllBroadcasts all(box, Entries::kAnyNumber);
    EXPECT_TRUE(all.has_one_within(again));
    EXPECT_FALSE(all.has_one_within(again - 1));
  }
}

TEST(LevelTree, CanBeTurnedToAnyRoot) {
  const LevelTree tree({.children = {2, 3, 2}, .latency = {1, 2, 3}});
  for (int root = 0; root < 12; ++root) {
    std::set<int> places;
    for (int processor = 0; processor < 12; ++processor) {
      const int place = tree.place_of(processor, root);
      EXPECT_EQ(tree.processor_of(place, root), processor);
      places.insert(place);
      // Subtrees stay subtrees.
      EXPECT_EQ(place / 2 == tree.place_of(0, root) / 2, processor / 2 == 0);
      EXPECT_EQ(place / 6 == tree.place_of(0, root) / 6, processor / 6 == 0);
    }
    EXPECT_EQ(places.size(), 12u);
    EXPECT_EQ(tree.place_of(root, root), 0);
  }
}

TEST(LevelTree, BroadcastsFromEveryRoot) {
  const LevelTree tree({.children = {2, 2, 2}, .latency = {1, 3, 5}});
  const LevelTree other({.children = {13}, .latency = {2}});
  for (const auto& [processors, used] : {std::pair{8, &tree}, {13, &other}}) {
    machine_of(processors).run([&, used = used](Processor& self) {
      for (int root = 0; root < self.count(); ++root) {
        for (const std::size_t size : {0, 5, 65}) {
          std::vector<std::int64_t> data =
              self.id() == root ? elements(root, 0, size) : unset(size);
          broadcast_level_tree(self, root, writable_bytes_of(data), *used);
          EXPECT_EQ(data, elements(root, 0, size));
        }
      }
    });
  }
}

FatTree fat_tree_of(const LevelLatency& box) {
  int processors = 1;
  for (const int children : box.children) processors *= children;
  std::vector<std::vector<int>> groups;
  int size = 1;
  for (const int children : box.children) {
    size *= children;
    groups.emplace_back();
    for (int p = 0; p < processors; ++p) groups.back().push_back(p / size);
  }
  return FatTree::from_groups(processors, groups);
}

// On a machine whose clock has a λ for each level, the program ends when the tree says.
TEST(LevelTree, TakesThatTimeUnderTheVirtualClock) {
  for (const LevelLatency& box :
       {LevelLatency{{8, 4}, {2, 7}, 1}, LevelLatency{{2, 4, 2}, {3, 5, 9}, 2},
        LevelLatency{{5}, {9}, 5}}) {
    const LevelTree tree(box);
    std::vector<Rational> by_level;
    for (const int latency : box.latency) by_level.emplace_back(latency, box.send_steps);
    const auto clock = std::make_shared<VirtualClock>(latency_by_level(fat_tree_of(box), by_level));
    Machine machine({.processors = tree.processors(), .clock = clock});
    for (const int root : {0, tree.processors() - 1}) {
      machine.run([&](Processor& self) {
        std::vector<int> data(1);
        broadcast_level_tree(self, root, writable_bytes_of(data), tree);
      });
      EXPECT_EQ(clock->finish(), Rational(tree.steps(), box.send_steps));
    }
  }
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
}

TEST(LevelTree, RefusesWhatIsNoBox) {
  const auto said = [](LevelLatency box) { return refusal([&] { (void)LevelTree(box); }); };
  EXPECT_EQ(said({{2, 2}, {1}, 1}),
            "level tree: number of latencies 1 is not allowed; 2, one for each level");
  EXPECT_EQ(said({{2}, {1}, 0}), "level tree: send_steps 0 is not allowed; at least 1");
  EXPECT_EQ(said({{2, 2}, {3, 2}, 1}), "level tree: latency 2 is not allowed; at least 3");
  EXPECT_EQ(said({{2}, {4}, 5}), "level tree: latency 4 is not allowed; at least 5");
  EXPECT_EQ(said({{0}, {4}, 1}), "level tree: children 0 is not allowed; at least 1");
  EXPECT_EQ(said({{100, 100, 2}, {1, 1, 1}, 1}),
            "level tree: subtrees below the last level 10000 is not allowed; at most 4096");
  EXPECT_EQ(said({{100, 100'000}, {1, 1}, 1}),
            "level tree: processors 10000000 is not allowed; at most 1048576");
  EXPECT_EQ(LevelTree({{}, {}, 1}).processors(), 1);
  const LevelTree tree({.children = {4}, .latency = {1}});
  machine_of(3).run([&](Processor& self) {
    std::vector<int> data(1);
    EXPECT_EQ(refusal([&] { broadcast_level_tree(self, 0, writable_bytes_of(data), tree); }),
              "broadcast: a tree of 4 processors is not allowed; 3");
  });
}

}  // namespace
}  // namespace postroom
