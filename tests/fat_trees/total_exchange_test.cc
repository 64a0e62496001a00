// Total exchange with random capacities: formulas (1) and (2), no queues, and the lower bounds.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>
#include <string>

#include "fat_trees/fat_tree_bounds.h"
#include "fat_trees/fat_tree_formulas.h"
#include "fat_trees/fat_tree_network.h"
#include "fat_trees/fat_tree_schedules.h"
#include "fat_trees/total_exchange_schedule.h"

namespace postroom {
namespace {

/// Never falling; sometimes faster than can be used, sometimes slower.
std::vector<int> random_capacities(int levels, std::mt19937& random) {
  std::vector<int> capacities;
  int capacity = 1 + static_cast<int>(random() % 8 == 0);
  for (int level = 0; level < levels; ++level) {
    capacities.push_back(capacity);
    capacity += static_cast<int>(random() % static_cast<unsigned>(2 * capacity + 1));
  }
  return capacities;
}

std::string in_words(const std::vector<int>& capacities) {
  std::string text;
  for (const int capacity : capacities) text += std::to_string(capacity) + " ";
  return text;
}

void expect_formulas(int n, const std::vector<int>& capacities, Phases phases) {
  SCOPED_TRACE("n = " + std::to_string(n) + ", capacities " + in_words(capacities));
  const FatTree tree = FatTree::balanced(n).with_capacities(capacities);
  const FatTreeReport report =
      simulate(tree, total_exchange_schedule(tree, ExchangeOrder::kAny, phases));
  EXPECT_EQ(report.steps, total_exchange_steps(n, capacities, phases));
  EXPECT_GE(report.steps, total_exchange_bound(tree));
  EXPECT_EQ(report.deliveries, std::int64_t{n} * (n - 1));
  for (int level = 1; level <= tree.levels(); ++level) {
    EXPECT_LE(report.largest_queue[level - 1].up, capacities[level - 1]) << "level " << level;
    EXPECT_LE(report.largest_queue[level - 1].down, capacities[level - 1]) << "level " << level;
  }
}

class RandomCapacities : public testing::TestWithParam<int> {};

TEST_P(RandomCapacities, TakeWhatTheFormulasSay) {
  const int n = GetParam();
  const int levels = ceil_log(n);
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  const int trees = std::max(1, 400 / n);
  for (int i = 0; i < trees; ++i) {
    const std::vector<int> capacities = random_capacities(levels, random);
    expect_formulas(n, capacities, Phases::kPipelined);
    if (n <= 256) expect_formulas(n, capacities, Phases::kApart);
  }
}

INSTANTIATE_TEST_SUITE_P(TotalExchange, RandomCapacities,
                         testing::Values(2, 4, 8, 16, 32, 64, 128, 256, 512, 1024));

TEST(TotalExchange, CapacitiesThatTripTheUnwary) {
  const auto steps = [](int n, std::vector<int> capacities) {
    const FatTree tree = FatTree::balanced(n).with_capacities(std::move(capacities));
    return simulate(tree, total_exchange_schedule(tree)).steps;
  };
  EXPECT_EQ(steps(16, {1, 1, 3, 4}), 36);  // with c_i instead of c'_i the formula says 34
  EXPECT_EQ(steps(64, {1, 2, 3, 5, 7, 7}), 217);
  EXPECT_EQ(steps(1, {}), 0);
  EXPECT_EQ(effective_capacities({1, 1, 3, 4}), (std::vector<int>{1, 1, 2, 4}));
  EXPECT_EQ(effective_capacities({1'500'000'000, 2'000'000'000}),
            (std::vector<int>{1'500'000'000, 2'000'000'000}));
}

// The orders of [F] on trees that they are not made for: still no queues, but more steps.
TEST(TotalExchange, OrdersOnOtherTrees) {
  const FatTree ebft = FatTree::balanced(32).exponential();
  const PacketSchedule one_at_a_time = total_exchange_schedule(ebft, ExchangeOrder::kConstant);
  const FatTreeReport slow = simulate(ebft, one_at_a_time);
  EXPECT_GT(slow.steps, 300);  // 350 on the CBFT, 40 in the order of the EBFT
  EXPECT_LE(slow.largest_queue[4].up, ebft.capacity(5));
  // The schedule of the EBFT with the links of the CBFT: now packets queue.
  const FatTree cbft = FatTree::balanced(32);
  const FatTreeReport report =
      simulate(cbft, total_exchange_schedule(ebft, ExchangeOrder::kExponential));
  EXPECT_GT(report.steps, 40);
  EXPECT_GT(report.largest_queue[4].up, 100);
}

TEST(TotalExchange, EvenTreesOfAnyArity) {
  for (const int arity : {3, 4, 5}) {
    for (int levels = 1; levels <= (arity == 3 ? 4 : 3); ++levels) {
      int n = 1;
      for (int i = 0; i < levels; ++i) n *= arity;
      const FatTree constant = FatTree::balanced(n, arity);
      const FatTree exponential = constant.exponential();
      // A phase brings (b-1) b^(2(h-1)) packets over each branch of level h.
      std::int64_t constant_steps = 2 * levels - 1;
      std::int64_t exponential_steps = 2 * levels - 1;
      std::int64_t leaves = 1;  // b^(h-1)
      for (int h = 1; h <= levels; ++h, leaves *= arity) {
        constant_steps += (arity - 1) * leaves * leaves;
        exponential_steps += (arity - 1) * leaves;
      }
      EXPECT_EQ(simulate(constant, total_exchange_schedule(constant)).steps, constant_steps);
      EXPECT_EQ(simulate(exponential, total_exchange_schedule(exponential)).steps,
                exponential_steps);
    }
  }
}

// A level in which no node has several children takes no steps, but packets pass it.
TEST(TotalExchange, NoPacketWaitsWhereALevelDoesNotBranch) {
  for (const std::vector<std::vector<int>>& groups :
       {std::vector<std::vector<int>>{{0, 0, 1, 1}, {0, 0, 1, 1}},
        {{0, 0, 1, 1}, {0, 0, 1, 1}, {0, 0, 1, 1}},
        {{0, 1, 2, 3}, {0, 0, 1, 1}, {0, 0, 1, 1}}}) {
    const FatTree tree = FatTree::from_groups(4, groups);
    for (const FatTreeReport& report : {simulate(tree, total_exchange_schedule(tree)),
                                        simulate(tree, multinode_queueless_schedule(tree))}) {
      for (const auto& queue : report.largest_queue) {
        EXPECT_LE(queue.up, 1);
        EXPECT_LE(queue.down, 1);
      }
    }
  }
}

TEST(TotalExchange, RespectsTheBounds) {
  for (int levels = 2; levels <= 9; ++levels) {
    const int n = 1 << levels;
    const FatTree ebft = FatTree::balanced(n).exponential();
    const std::int64_t steps = simulate(ebft, total_exchange_schedule(ebft)).steps;
    const std::int64_t bound = total_exchange_exponential_bound(n);
    EXPECT_GE(steps, bound);
    EXPECT_LE(steps - bound, 2 * std::log2(levels));  // "within 2 log log n steps"
    EXPECT_GE(steps, total_exchange_bound(ebft));
  }
  EXPECT_EQ(total_exchange_exponential_bound(16), 18);
}

TEST(TotalExchange, BoundsOfTable1) {
  const auto bound = [](std::vector<int> capacities) {
    const FatTree tree = FatTree::balanced(16).with_capacities(std::move(capacities));
    return total_exchange_bound(tree);
  };
  EXPECT_EQ(bound({1, 1, 1, 1}), 64 + 7);
  EXPECT_EQ(bound({1, 2, 4, 8}), 17);
  EXPECT_EQ(bound({4, 4, 4, 4}), 16 + 7);
  for (const int n : {4, 8, 64}) {
    const FatTree tree = FatTree::balanced(n);
    EXPECT_EQ(broadcast_bound(tree, n / 2), broadcast_steps(n));
    EXPECT_EQ(scatter_bound(tree, n / 2), n + 1);
    EXPECT_EQ(multinode_broadcast_bound(tree), n + 1);
  }
  EXPECT_EQ(scatter_bound(FatTree::balanced(2), 1), 2);
  EXPECT_EQ(scatter_bound(FatTree::balanced(1), 0), 0);
  EXPECT_EQ(total_exchange_bound(FatTree::balanced(1)), 0);
  const FatTree wide = FatTree::balanced(16).with_capacities({100, 100, 100, 100});
  EXPECT_EQ(scatter_bound(wide, 3), 8);
  // Two packages, of one processor and of three.
  const FatTree uneven = FatTree::from_groups(4, {{0, 1, 1, 1}});
  EXPECT_EQ(broadcast_bound(uneven, 2), 4);
  EXPECT_EQ(scatter_bound(uneven, 0), 3 + 3);
  EXPECT_EQ(scatter_bound(uneven, 1), 1 + 3);
}

TEST(TotalExchange, FormulasRefuseOtherNumbersOfLeaves) {
  EXPECT_THROW((void)broadcast_steps(6), std::invalid_argument);
  EXPECT_THROW((void)scatter_steps(0), std::invalid_argument);
  EXPECT_THROW((void)scatter_bound(FatTree::balanced(4), 4), std::invalid_argument);
  EXPECT_THROW((void)total_exchange_steps(8, {1, 1}, Phases::kApart), std::invalid_argument);
  EXPECT_THROW((void)total_exchange_exponential_bound(12), std::invalid_argument);
}

}  // namespace
}  // namespace postroom
