// The level tree on boxes of any shape: its times are those of runs, and `automatic` finds it.
#include "collectives/models/level_tree_of_box.h"

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <vector>

#include "collectives/algorithms/broadcast_level_tree.h"
#include "collectives/broadcast.h"
#include "collectives/models/level_tree.h"
#include "fat_trees/fat_tree.h"
#include "numa/rounding.h"
#include "runtime/latency_by_level.h"
#include "runtime/machine.h"
#include "runtime/rational.h"
#include "runtime/virtual_clock.h"
#include "tests/collectives/testing.h"

namespace postroom {
namespace {

/// λ of 1, 1 + more, 1 + 2 more, … for each level of a binary tree.
LatencyLevels binary_box(int processors, const Rational& more) {
  LatencyLevels levels{FatTree::balanced(processors), {}};
  for (int level = 0; level < levels.tree.levels(); ++level) {
    levels.by_level.push_back(1 + more * level);
  }
  return levels;
}

FatTree fat_tree_of(const LevelLatency& box) {
  std::vector<std::vector<int>> groups;
  int size = 1;
  for (const int children : box.children) {
    size *= children;
    groups.emplace_back();
    for (int p = 0; p < box.processors(); ++p) groups.back().push_back(p / size);
  }
  return FatTree::from_groups(box.processors(), groups);
}

Rational time_of_run(const PostalParameters& parameters, int processors, int root,
                     const Algorithm& algorithm, std::size_t bytes = 4) {
  const auto clock = std::make_shared<VirtualClock>(parameters);
  Machine machine({.processors = processors, .clock = clock});
  machine.run([&](Processor& self) {
    std::vector<std::int8_t> data(bytes, static_cast<std::int8_t>(self.id() == root ? 7 : 0));
    broadcast(self, root, data, algorithm);
    EXPECT_EQ(data, std::vector<std::int8_t>(bytes, 7));
  });
  return clock->finish();
}

TEST(LevelTreeOfBox, OnAnEvenBoxTakesTheTimeOfTheTreeFromEveryRoot) {
  for (const LevelLatency& box :
       {LevelLatency{{8, 4}, {2, 7}, 1}, LevelLatency{{2, 4, 2}, {3, 5, 9}, 2},
        LevelLatency{{2, 2}, {2, 5}, 1}, LevelLatency{{5}, {9}, 5}, LevelLatency{{3, 1}, {2, 3}}}) {
    const LevelTree even(box);
    LatencyLevels levels{fat_tree_of(box), {}};
    for (const int latency : box.latency) levels.by_level.emplace_back(latency, box.send_steps);
    const auto lambda = latency_by_level(levels.tree, levels.by_level);
    for (int root = 0; root < box.processors(); ++root) {
      const LevelTreeOfBox tree(levels, root);
      EXPECT_EQ(tree.time(), Rational(even.steps(), box.send_steps));
      EXPECT_EQ(tree.lower_bound(), Rational(even.lower_bound(), box.send_steps));
      EXPECT_EQ(tree.parent(root), -1);
      EXPECT_EQ(time_of_run({.lambda = lambda}, box.processors(), root, Algorithm::level_tree),
                tree.time());
    }
  }
}

TEST(LevelTreeOfBox, OfAnyNumberOfProcessorsTakesTheTimeItSays) {
  for (int processors = 1; processors <= 21; ++processors) {
    for (const Rational more : {Rational(0), Rational(1, 3), Rational(2)}) {
      const LatencyLevels levels = binary_box(processors, more);
      const auto lambda = latency_by_level(levels.tree, levels.by_level);
      for (int root = 0; root < processors; root += 1 + processors / 4) {
        const LevelTreeOfBox tree(levels, root);
        EXPECT_LE(tree.lower_bound(), tree.time());
        EXPECT_EQ(time_of_run({.lambda = lambda}, processors, root, Algorithm::level_tree),
                  processors == 1 ? Rational(0) : tree.time())
            << processors << " from " << root;
      }
    }
  }
}

TEST(LevelTreeOfBox, KnowsListsOfSeveralUnits) {
  const LatencyLevels levels = binary_box(12, Rational(3, 2));
  const auto lambda = latency_by_level(levels.tree, levels.by_level);
  for (const std::size_t bytes : {1, 8, 9, 40}) {
    const LevelTreeOfBox tree(levels, 3, ceil_divide<std::int64_t>(bytes, 8));
    EXPECT_EQ(time_of_run({.lambda = lambda, .unit_bytes = 8}, 12, 3, Algorithm::level_tree, bytes),
              tree.time())
        << bytes;
  }
}

// Latencies on a grid so fine that the tree is made on a coarser one.
TEST(LevelTreeOfBox, TakesFineLatencies) {
  const LatencyLevels levels{FatTree::balanced(4), {Rational(1'000'003, 1'000'000), Rational(5)}};
  const LevelTreeOfBox tree(levels, 1);
  EXPECT_LE(tree.lower_bound(), tree.time());
  EXPECT_EQ(time_of_run({.lambda = latency_by_level(levels.tree, levels.by_level)}, 4, 1,
                        Algorithm::level_tree),
            tree.time());
}

TEST(LevelTreeOfBox, PredictedTimesAreThoseOfRuns) {
  for (const int processors : {2, 3, 8, 13}) {
    const LatencyLevels levels = binary_box(processors, Rational(3, 2));
    for (const int ports : {1, 2}) {
      for (const std::size_t bytes : {1, 20}) {
        const PostalParameters parameters{.lambda = latency_by_level(levels.tree, levels.by_level),
                                          .ports = ports,
                                          .unit_bytes = 8};
        const TimeModel model = TimeModel::of(parameters, processors);
        for (const Algorithm& algorithm :
             {Algorithm::level_tree, Algorithm::binomial, Algorithm::linear,
              Algorithm::lambda_tree(Rational(5, 2))}) {
          const double run = time_of_run(parameters, processors, 0, algorithm, bytes).to_double();
          const double predicted =
              broadcast_time(processors, static_cast<std::int64_t>(bytes), algorithm, model);
          EXPECT_NEAR(predicted / model.busy_ns, run, 1e-5 * (1 + run)) << algorithm;
        }
      }
    }
  }
}

TEST(LevelTreeOfBox, IsWhatAutomaticTakesWhereItIsFaster) {
  const std::vector<Rational> by_level = {Rational(2), Rational(2), Rational(9), Rational(9)};
  const PostalParameters parameters{.lambda = latency_by_level(FatTree::balanced(16), by_level)};
  const Rational level_tree = time_of_run(parameters, 16, 0, Algorithm::level_tree);
  EXPECT_LT(level_tree, time_of_run(parameters, 16, 0, Algorithm::binomial));
  EXPECT_LT(level_tree, time_of_run(parameters, 16, 0, Algorithm::lambda_tree(9)));
  EXPECT_EQ(choose_broadcast(16, 1, TimeModel::of(parameters, 16)), Algorithm::level_tree);
  EXPECT_EQ(time_of_run(parameters, 16, 0, Algorithm::automatic), level_tree);
}

// Without levels of latency it is the λ-tree.
TEST(LevelTreeOfBox, WithOneLatencyTakesTheLeastTime) {
  EXPECT_EQ(time_of_run({.lambda = Rational(9, 5)}, 64, 5, Algorithm::level_tree), Rational(46, 5));
}

TEST(LevelTreeOfBox, RefusesTheWrongTree) {
  const LevelTreeOfBox tree(binary_box(4, 1), 2);
  machine_of(3).run([&](Processor& self) {
    std::vector<int> data(1);
    EXPECT_EQ(refusal([&] { broadcast_level_tree(self, 0, writable_bytes_of(data), tree); }),
              "broadcast: a tree of 4 processors is not allowed; 3");
  });
  machine_of(4).run([&](Processor& self) {
    std::vector<int> data(1);
    EXPECT_EQ(refusal([&] { broadcast_level_tree(self, 0, writable_bytes_of(data), tree); }),
              "broadcast: a tree in which processor 0 receives is not allowed; it is the root");
  });
}

// The even box around this one would have 2^33 processors.
TEST(LevelTreeOfBox, RefusesABoxThatIsEvenOnlyWithFarTooMany) {
  std::vector<std::vector<int>> groups(3);
  const auto add = [&](int below, int middle, int above) {
    groups[0].push_back(below);
    groups[1].push_back(middle);
    groups[2].push_back(above);
  };
  for (int leaf = 0; leaf < 2048; ++leaf) add(0, 0, 0);
  for (int leaf = 1; leaf <= 2048; ++leaf) add(leaf, 1, 1);
  for (int leaf = 1; leaf <= 1024; ++leaf) add(2048 + leaf, 1 + leaf, 2);
  const FatTree tree = FatTree::from_groups(5120, groups);
  EXPECT_THROW(LevelTreeOfBox({tree, {1, 2, 3, 4}}, 0), std::invalid_argument);
}

// λ of levels that no two processors meet at counts for nothing.
TEST(LevelTreeOfBox, PredictsTheTimeWhereTheHighestLevelDoesNotBranch) {
  const FatTree tree = FatTree::from_groups(4, {{0, 0, 1, 1}, {0, 0, 0, 0}, {0, 0, 0, 0}});
  const PostalParameters parameters{.lambda = latency_by_level(tree, {1, 2, 100})};
  constexpr double kT0 = 1e6;  // of TimeModel::of
  for (const Algorithm& algorithm : {Algorithm(Algorithm::linear), Algorithm(Algorithm::binomial),
                                     Algorithm(Algorithm::level_tree)}) {
    EXPECT_EQ(broadcast_time(4, 4, algorithm, TimeModel::of(parameters, 4)),
              kT0 * time_of_run(parameters, 4, 0, algorithm).to_double())
        << to_string(algorithm);
  }
}

}  // namespace
}  // namespace postroom
