// The postal model: against its recursion, the numbers of the paper, and exact tables.
#include "collectives/models/postal_model.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <stdexcept>

#include "collectives/models/alpha_table.h"
#include "collectives/models/postal_tree.h"
#include "tests/collectives/golden.h"
#include "tests/collectives/testing.h"

namespace postroom {
namespace {

const Rational kLatencies[] = {1,
                               2,
                               3,
                               7,
                               Rational(9, 5),
                               Rational(5, 2),
                               Rational(39, 20),
                               Rational(1293, 1000),
                               Rational(1001, 1000),
                               Rational(22, 7)};

/// N_λ as the paper defines it.
std::int64_t reach_by_definition(Rational latency, Rational time) {
  if (time < latency) return 1;
  return reach_by_definition(latency, time - 1) + reach_by_definition(latency, time - latency);
}

TEST(PostalModel, ReachesWhatTheRecursionSays) {
  for (const Rational latency : kLatencies) {
    const PostalModel model(latency);
    for (int quarters = 0; quarters <= 44; ++quarters) {
      const Rational time(quarters, 4);
      EXPECT_EQ(model.reach(time), reach_by_definition(latency, time)) << latency << " " << time;
    }
    EXPECT_EQ(model.reach(-1), 0);
    EXPECT_EQ(model.reach(Rational(1'000'000'000'000)), PostalModel::kMost);
  }
}

TEST(PostalModel, SaysWhatItsHeaderShows) {
  const PostalModel model(Rational(9, 5));
  EXPECT_EQ(model.time(64), Rational(46, 5));
  EXPECT_EQ(model.reach(10), 94);
  EXPECT_EQ(model.split(64), (PostalModel::Split{36, 38}));
  EXPECT_EQ(alpha_range(PostalModel(Rational(39, 20)), 13),
            (AlphaRange{Rational(15, 26), Rational(17, 26)}));
}

TEST(PostalModel, TimeIsTheLeastThatReachesAll) {
  for (const Rational latency : kLatencies) {
    const PostalModel model(latency);
    EXPECT_EQ(model.time(1), 0);
    for (std::int64_t p = 2; p < 400; ++p) {
      const Rational time = model.time(p);
      const Rational step(1, model.steps_per_unit());
      EXPECT_GE(model.reach(time), p) << latency;
      EXPECT_LT(model.reach(time - step), p) << latency;
    }
  }
}

TEST(PostalModel, CornersAreTheTimesAtWhichReachGrows) {
  for (const Rational latency : kLatencies) {
    const PostalModel model(latency);
    const std::vector<PostalModel::Corner> corners = model.corners(5000);
    std::int64_t before = 1;
    for (const PostalModel::Corner& corner : corners) {
      const Rational time(corner.steps, model.steps_per_unit());
      EXPECT_EQ(corner.processors, model.reach(time));
      EXPECT_EQ(corner.kept, model.reach(time - 1));
      EXPECT_GT(corner.processors, before);
      EXPECT_EQ(model.time(before + 1), time);
      EXPECT_EQ(model.time(corner.processors), time);
      before = corner.processors;
    }
    EXPECT_GE(before, 5000);
  }
  EXPECT_TRUE(PostalModel(2).corners(1).empty());
}

TEST(PostalModel, SplitsAreExactlyThoseThatLoseNoTime) {
  for (const Rational latency : kLatencies) {
    const PostalModel model(latency);
    for (std::int64_t p = 2; p < 120; ++p) {
      const PostalModel::Split split = model.split(p);
      for (std::int64_t kept = 1; kept < p; ++kept) {
        const Rational time = std::max(1 + model.time(kept), latency + model.time(p - kept));
        EXPECT_EQ(time == model.time(p), split.fewest <= kept && kept <= split.most)
            << latency << " " << p << " " << kept;
      }
    }
  }
}

TEST(PostalModel, GrowsAsTablesOneAndTwoSay) {
  const double growth[] = {2.000, 1.618, 1.466, 1.380, 1.325, 1.285, 1.255, 1.232, 1.213, 1.197};
  for (int latency = 1; latency <= 10; ++latency) {
    EXPECT_NEAR(PostalModel(latency).growth(), growth[latency - 1], 0.0005 + 1e-9);
  }
  const double break_even[] = {1.440, 2.518, 3.558, 4.584, 5.604, 6.618, 7.630, 8.640, 9.649};
  for (int whole = 1; whole <= 9; ++whole) {
    EXPECT_NEAR(break_even_latency(whole), break_even[whole - 1], 0.0005 + 1e-9);
  }
  // Of a rational λ, too: the ratio of two large N.
  const PostalModel model(Rational(9, 5));
  const double ratio = static_cast<double>(model.reach(61)) / static_cast<double>(model.reach(60));
  EXPECT_NEAR(model.growth(), ratio, 1e-3);
}

TEST(PostalModel, IsInstantForABillionProcessors) {
  const auto start = std::chrono::steady_clock::now();
  for (const Rational latency : kLatencies) {
    const PostalModel model(latency);
    const Rational time = model.time(1'000'000'000);
    EXPECT_GE(model.reach(time), 1'000'000'000);
    EXPECT_LT(model.reach(time - Rational(1, model.steps_per_unit())), 1'000'000'000);
    EXPECT_LT(model.split(1'000'000'000).most, 1'000'000'000);
  }
  EXPECT_EQ(PostalModel(1).time(1'000'000'000), 30);
  EXPECT_EQ(PostalModel(1'000'000'000'000).time(1'000'000'000), 1'000'999'999'998);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(1));
}

TEST(PostalModel, ReachesNobodyBeforeTheBeginning) {
  for (const Rational latency : {Rational(1), Rational(3, 2)}) {
    EXPECT_EQ(PostalModel(latency).reach(-1), 0);
    EXPECT_EQ(PostalModel(latency).reach(-9'000'000'000'000'000'000), 0);
  }
}

TEST(PostalModel, RefusesWrongArguments) {
  EXPECT_EQ(refusal([] { PostalModel model(Rational(4, 5)); }),
            "postal model: latency 4/5 is not allowed; at least 1");
  EXPECT_EQ(refusal([] { PostalModel model(0); }),
            "postal model: latency 0 is not allowed; at least 1");
  EXPECT_EQ(refusal([] { (void)PostalModel(2).time(0); }),
            "postal model: processors 0 is not allowed; at least 1");
  EXPECT_EQ(refusal([] { (void)PostalModel(2).split(1); }),
            "postal model: processors 1 is not allowed; at least 2");
  EXPECT_EQ(refusal([] { (void)PostalModel(1'000'000'000'000'000'000).time(64); }),
            "postal model: latency 1000000000000000000 for 64 processors is not allowed; a time "
            "below 10^18 steps");
  EXPECT_EQ(refusal([] { (void)break_even_latency(0); }),
            "break-even latency: whole part 0 is not allowed; at least 1");
  EXPECT_NE(refusal([] { (void)Rational(0, 0); }), "nothing was thrown");
}

TEST(AlphaTable, RangesAreThoseThatSplitLegally) {
  for (const Rational latency : kLatencies) {
    const PostalModel model(latency);
    for (std::int64_t p = 2; p < 60; ++p) {
      const PostalModel::Split split = model.split(p);
      const AlphaRange range = alpha_range(model, p);
      for (int thousandths = 0; thousandths < 1000; ++thousandths) {
        const Rational alpha(thousandths, 1000);
        const std::int64_t kept = alpha_split(alpha, p);
        const bool legal = split.fewest <= kept && kept <= split.most;
        EXPECT_EQ(legal, range.least <= alpha && alpha < range.below) << latency << " " << p;
      }
    }
  }
}

TEST(AlphaTable, HasTheRowsOfThePaper) {
  EXPECT_EQ(alpha_table(PostalModel(1), 2000).size(), 1u);
  EXPECT_EQ(alpha_table(PostalModel(3), 2000).size(), 1u);
  const std::vector<AlphaRow> two = alpha_table(PostalModel(2), 2000);
  ASSERT_EQ(two.size(), 1u);
  EXPECT_NEAR(two[0].range.least.to_double(), 0.6177, 0.0002);
  EXPECT_NEAR(two[0].range.below.to_double(), 0.6183, 0.0002);
  EXPECT_EQ(alpha_table(PostalModel(Rational(39, 20)), 2000).size(), 41u);
  EXPECT_EQ(alpha_table(PostalModel(Rational(1293, 1000)), 2000).size(), 41u);
}

TEST(AlphaTable, SplitsEveryNumberOptimally) {
  for (const Rational latency : kLatencies) {
    const PostalModel model(latency);
    const std::vector<AlphaRow> table = alpha_table(model, 3000);
    std::size_t row = 0;
    for (std::int64_t p = 2; p <= 3000; ++p) {
      while (table[row].last < p) ++row;
      const AlphaRange range = alpha_range(model, p);
      EXPECT_LE(range.least, table[row].alpha) << latency << " " << p;
      EXPECT_LT(table[row].alpha, range.below) << latency << " " << p;
    }
  }
}

// --- Trees. ---

/// Sends along the tree, node by node, as the model says: the time at which the last one has it.
/// Checks that every node has the parent whose child it is.
Rational simulated(const PostalTree& tree, Rational latency) {
  std::vector<Rational> received(static_cast<std::size_t>(tree.processors()));
  std::vector<int> reached{0};
  Rational last;
  for (std::size_t next = 0; next < reached.size(); ++next) {
    const int node = reached[next];
    Rational start = received[static_cast<std::size_t>(node)];
    for (const int child : tree.node(node).children) {
      EXPECT_EQ(tree.node(child).parent, node);
      received[static_cast<std::size_t>(child)] = start + latency;
      last = std::max(last, start + latency);
      start += 1;
      reached.push_back(child);
    }
  }
  EXPECT_EQ(reached.size(), received.size());
  EXPECT_EQ(tree.node(0).parent, -1);
  return last;
}

TEST(PostalTree, ReachesAllInTheLeastTimeInEveryConstruction) {
  for (const Rational latency : kLatencies) {
    for (const int p : {1, 2, 3, 4, 5, 7, 8, 13, 33, 64, 100, 257}) {
      const Rational least = PostalModel(latency).time(p);
      for (const PostalTree& tree :
           {PostalTree::greedy(latency, p), PostalTree::bottom_up(latency, p),
            PostalTree::alpha_table(latency, p)}) {
        EXPECT_EQ(simulated(tree, latency), least) << latency << " " << p;
        EXPECT_EQ(tree.time(latency), least) << latency << " " << p;
      }
    }
  }
}

TEST(PostalTree, SaysItsTimeUnderAnyLatency) {
  for (const int p : {1, 2, 6, 33, 100}) {
    for (const Rational latency : kLatencies) {
      for (const Rational alpha : {Rational(1, 2), Rational(58, 100), Rational(9, 10)}) {
        const PostalTree tree = PostalTree::fixed_alpha(alpha, p);
        EXPECT_EQ(tree.time(latency), simulated(tree, latency));
        EXPECT_GE(tree.time(latency), PostalModel(latency).time(p));
      }
      const PostalTree tree = PostalTree::greedy(Rational(9, 5), p);
      EXPECT_EQ(tree.time(latency), simulated(tree, latency));
    }
  }
}

TEST(PostalTree, FixedAlphaIsOptimalWhereFigureTwelveSays) {
  const Rational latency(9, 5);
  EXPECT_EQ(PostalTree::halving(64).time(latency), Rational(54, 5));
  for (int hundredths = 50; hundredths < 80; ++hundredths) {
    const Rational time = PostalTree::fixed_alpha(Rational(hundredths, 100), 64).time(latency);
    EXPECT_EQ(time == Rational(46, 5), 56 <= hundredths && hundredths <= 59) << hundredths;
  }
}

TEST(PostalTree, TakesAMillionProcessors) {
  const Rational latency(9, 5);
  const PostalTree tree = PostalTree::bottom_up(latency, 1'000'000);
  EXPECT_EQ(tree.time(latency), PostalModel(latency).time(1'000'000));
  EXPECT_EQ(PostalTree::greedy(latency, 1'000'000).time(latency), tree.time(latency));
  EXPECT_EQ(tree.node(tree.node(999'999).parent).children.back(), 999'999);
  // A star, where the latency is far longer than the root takes for all of them.
  EXPECT_EQ(PostalTree::bottom_up(1'000'000, 1000).time(1'000'000), 1'000'998);
  EXPECT_EQ(binomial_time(std::int64_t{1} << 30, latency), 30 * latency);
}

// What it would be lies beyond 64 bits.
TEST(PostalTree, TimesDoNotWrapAround) {
  const Rational latency = 1'000'000'000'000'000'000;
  EXPECT_EQ(binomial_time(512, latency), 9 * latency);
  EXPECT_THROW((void)binomial_time(1024, latency), std::overflow_error);
  EXPECT_EQ(PostalTree::d_ary(1, 10).time(latency), 9 * latency);
  EXPECT_THROW((void)PostalTree::d_ary(1, 11).time(latency), std::overflow_error);
}

TEST(PostalTree, CornersDoNotWrapAround) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  EXPECT_THROW((void)PostalTree::bottom_up(Rational(kMost, kMost - 1), 4), std::overflow_error);
}

// A chain: who receives gets all but one.
TEST(PostalTree, MayBeAsDeepAsItIsLarge) {
  constexpr std::int64_t kProcessors = 200'000;
  EXPECT_EQ(
      split_time(SplitRule::bottom_up(kProcessors, kProcessors).giving_more(), kProcessors, 1),
      kProcessors - 1);
}

TEST(PostalTree, RefusesWrongArguments) {
  for (const Rational alpha : {Rational(1, 3), Rational(1), Rational(-1, 2), Rational(7, 5)}) {
    EXPECT_EQ(refusal([&] { (void)PostalTree::fixed_alpha(alpha, 4); }),
              "postal tree: alpha " + to_string(alpha) + " is not allowed; from 1/2, below 1");
  }
  EXPECT_EQ(refusal([] { (void)PostalTree::greedy(Rational(1, 2), 4); }),
            "postal model: latency 1/2 is not allowed; at least 1");
  EXPECT_EQ(refusal([] { (void)PostalTree::bottom_up(2, 0); }),
            "postal model: processors 0 is not allowed; at least 1");
  EXPECT_EQ(refusal([] { (void)PostalTree::halving(0); }),
            "postal tree: processors 0 is not allowed; at least 1");
}

TEST(Golden, PostalBroadcasts) {
  for (const std::vector<std::string>& row : golden_rows("postal_broadcast.csv")) {
    const Rational latency = Rational::parse(row[0]);
    const int p = std::stoi(row[1]);
    const PostalModel model(latency);
    EXPECT_EQ(model.time(p), Rational::parse(row[2])) << latency << " " << p;
    EXPECT_EQ(model.split(p), (PostalModel::Split{std::stoi(row[3]), std::stoi(row[4])}));
    EXPECT_EQ(binomial_time(p, latency), Rational::parse(row[5])) << latency << " " << p;
    EXPECT_EQ(PostalTree::bottom_up(latency, p).time(latency), model.time(p));
    EXPECT_EQ(PostalTree::halving(p).time(latency), Rational::parse(row[5]));
  }
}

}  // namespace
}  // namespace postroom
