// The schedules of [F] run on the packet model: every number of the table, the queues, and that
// every packet gets where it belongs.
#include "fat_trees/fat_tree_schedules.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>

#include "fat_trees/fat_tree_bounds.h"
#include "fat_trees/fat_tree_formulas.h"
#include "fat_trees/fat_tree_network.h"
#include "fat_trees/total_exchange_schedule.h"

namespace postroom {
namespace {

std::int64_t steps(const FatTree& tree, const PacketSchedule& schedule) {
  return simulate(tree, schedule).steps;
}

bool has_no_queues(const FatTree& tree, const FatTreeReport& report) {
  for (int level = 1; level <= tree.levels(); ++level) {
    const UpDown& queue = report.largest_queue[level - 1];
    if (std::max(queue.up, queue.down) > tree.capacity(level)) return false;
  }
  return true;
}

TEST(FatTreeSchedules, GoldenSteps) {
  std::ifstream file("tests/golden/fat_tree_steps.csv");
  ASSERT_TRUE(file);
  std::string line;
  std::getline(file, line);
  ASSERT_EQ(line,
            "n,broadcast,scatter_gather,multinode_flooding,multinode_queueless,"
            "total_exchange_CBFT_pipelined,total_exchange_EBFT_pipelined,"
            "total_exchange_CBFT_phased,total_exchange_EBFT_phased");
  int rows = 0;
  for (; std::getline(file, line); ++rows) {
    std::istringstream cells(line);
    std::vector<std::int64_t> row;
    for (std::string cell; std::getline(cells, cell, ',');) row.push_back(std::stoll(cell));
    const int n = static_cast<int>(row.at(0));
    SCOPED_TRACE("n = " + std::to_string(n));
    const FatTree cbft = FatTree::balanced(n);
    const FatTree ebft = cbft.exponential();
    EXPECT_EQ(steps(cbft, broadcast_schedule(cbft, n / 3)), row.at(1));
    EXPECT_EQ(steps(cbft, scatter_schedule(cbft, 0)), row.at(2));
    EXPECT_EQ(steps(cbft, gather_schedule(cbft, 0)), row.at(2));
    EXPECT_EQ(steps(cbft, multinode_flooding_schedule(cbft)), row.at(3));
    EXPECT_EQ(steps(cbft, multinode_queueless_schedule(cbft)), row.at(4));
    const auto constant = ExchangeOrder::kConstant;
    const auto exponential = ExchangeOrder::kExponential;
    EXPECT_EQ(steps(cbft, total_exchange_schedule(cbft, constant)), row.at(5));
    EXPECT_EQ(steps(ebft, total_exchange_schedule(ebft, exponential)), row.at(6));
    EXPECT_EQ(steps(cbft, total_exchange_schedule(cbft, constant, Phases::kApart)), row.at(7));
    EXPECT_EQ(steps(ebft, total_exchange_schedule(ebft, exponential, Phases::kApart)), row.at(8));
    // The formulas, and the order for any capacities.
    EXPECT_EQ(broadcast_steps(n), row.at(1));
    EXPECT_EQ(scatter_steps(n), row.at(2));
    EXPECT_EQ(multinode_queueless_steps(n), row.at(4));
    EXPECT_EQ(total_exchange_steps(n, cbft.capacities(), Phases::kPipelined), row.at(5));
    EXPECT_EQ(total_exchange_steps(n, ebft.capacities(), Phases::kPipelined), row.at(6));
    EXPECT_EQ(total_exchange_steps(n, cbft.capacities(), Phases::kApart), row.at(7));
    EXPECT_EQ(total_exchange_steps(n, ebft.capacities(), Phases::kApart), row.at(8));
    EXPECT_EQ(steps(cbft, total_exchange_schedule(cbft)), row.at(5));
    EXPECT_EQ(steps(ebft, total_exchange_schedule(ebft)), row.at(6));
  }
  EXPECT_EQ(rows, 6);
}

// Formulas (2) for the CBFT and (3), as they are printed.
TEST(FatTreeSchedules, PrintedFormulas) {
  for (int levels = 1; levels <= 15; ++levels) {
    const std::int64_t n = std::int64_t{1} << levels;
    const int leaves = static_cast<int>(n);
    std::vector<int> exponential;
    for (int i = 0; i < levels; ++i) exponential.push_back(1 << i);
    EXPECT_EQ(total_exchange_steps(leaves, std::vector<int>(levels, 1), Phases::kPipelined),
              (n * n - 1) / 3 + 2 * levels - 1);
    EXPECT_EQ(total_exchange_steps(leaves, exponential, Phases::kPipelined), n + 2 * levels - 2);
  }
}

// Farthest first takes the same time from every leaf, on trees of any capacities.
TEST(FatTreeSchedules, ScatterAndGatherFromEveryRoot) {
  for (const int n : {2, 4, 8, 16, 64}) {
    for (const FatTree& tree : {FatTree::balanced(n), FatTree::balanced(n).exponential()}) {
      for (int root = 0; root < n; ++root) {
        for (const PacketSchedule& schedule :
             {scatter_schedule(tree, root), gather_schedule(tree, root)}) {
          const FatTreeReport report = simulate(tree, schedule);
          EXPECT_EQ(report.steps, scatter_bound(tree, root)) << n << ' ' << root;
          EXPECT_EQ(report.deliveries, n - 1);
          EXPECT_TRUE(has_no_queues(tree, report)) << n << ' ' << root;
        }
      }
    }
  }
}

TEST(FatTreeSchedules, FarthestFirst) {
  EXPECT_EQ(farthest_first(FatTree::balanced(8), 2), (std::vector<int>{4, 5, 6, 7, 0, 1, 3}));
  EXPECT_EQ(farthest_first(FatTree::balanced(1), 0), std::vector<int>{});
  const FatTree tree = FatTree::balanced(4);
  for (const int root : {-1, 4}) {
    EXPECT_THROW((void)broadcast_schedule(tree, root), std::invalid_argument);
    EXPECT_THROW((void)scatter_schedule(tree, root), std::invalid_argument);
    EXPECT_THROW((void)gather_schedule(tree, root), std::invalid_argument);
  }
}

// [F], section 4.1: a queue at a router of level i reaches 2^(i-1), besides the packet that leaves.
TEST(FatTreeSchedules, FloodingFillsQueues) {
  for (int levels = 2; levels <= 8; ++levels) {
    const FatTree tree = FatTree::balanced(1 << levels);
    const FatTreeReport report = simulate(tree, multinode_flooding_schedule(tree));
    EXPECT_EQ(report.steps, (1 << levels) + 1);
    EXPECT_EQ(report.deliveries, (std::int64_t{1} << levels) * ((1 << levels) - 1));
    for (int router = 1; router < levels; ++router) {
      // The branch above a router of level i is one of level i + 1.
      EXPECT_EQ(report.largest_queue[router].up - 1, 1 << (router - 1)) << levels;
    }
  }
}

// What arrives where, by an observer; every leaf gets everything once.
void expect_total(const FatTree& tree, const PacketSchedule& schedule) {
  FatTreeNetwork network(tree);
  std::multiset<std::pair<int, int>> received;
  network.observe([&](int node, bool up, int tag) {
    if (!up && node < tree.leaf_count()) received.emplace(tag, node);
  });
  schedule([&](const Packet& packet) {
    network.run_until(packet.step - 1);
    network.inject(packet.source, packet.target, packet.source);
  });
  while (!network.idle()) network.step();
  std::multiset<std::pair<int, int>> expected;
  for (int a = 0; a < tree.leaf_count(); ++a) {
    for (int b = 0; b < tree.leaf_count(); ++b) {
      if (a != b) expected.emplace(a, b);
    }
  }
  EXPECT_EQ(received, expected);
}

std::vector<FatTree> odd_trees() {
  std::vector<FatTree> trees;
  for (const int n : {1, 2, 3, 5, 6, 7, 11, 12, 13, 33}) {
    for (const int arity : {2, 3, 4}) {
      const FatTree tree = FatTree::balanced(n, arity);
      trees.push_back(tree);
      trees.push_back(tree.exponential());
      trees.push_back(tree.with_capacities(std::vector<int>(tree.levels(), 2)));
    }
  }
  trees.push_back(FatTree::from_groups(6, {{0, 0, 1, 2, 2, 2}}).exponential());
  trees.push_back(FatTree::from_groups(8, {{0, 1, 1, 1, 1, 1, 1, 2}, {0, 0, 0, 0, 0, 0, 0, 1}}));
  trees.push_back(FatTree::from_groups(9, {{0, 0, 0, 1, 1, 2, 2, 2, 2}}).with_capacities({1, 2}));
  return trees;
}

TEST(FatTreeSchedules, OfUnevenTreesAreCompleteAndWithoutQueues) {
  for (const FatTree& tree : odd_trees()) {
    SCOPED_TRACE(testing::Message()
                 << tree.leaf_count() << " leaves, " << tree.levels() << " levels");
    for (const Phases phases : {Phases::kApart, Phases::kPipelined}) {
      const PacketSchedule multinode = multinode_queueless_schedule(tree, phases);
      EXPECT_TRUE(has_no_queues(tree, simulate(tree, multinode)));
      expect_total(tree, multinode);
      for (const ExchangeOrder order :
           {ExchangeOrder::kConstant, ExchangeOrder::kExponential, ExchangeOrder::kAny}) {
        const PacketSchedule exchange = total_exchange_schedule(tree, order, phases);
        EXPECT_TRUE(has_no_queues(tree, simulate(tree, exchange)));
        expect_total(tree, exchange);
      }
    }
    expect_total(tree, consecutive_scatters_schedule(tree));
    EXPECT_TRUE(has_no_queues(tree, simulate(tree, consecutive_scatters_schedule(tree))));
    for (const int root : {0, tree.leaf_count() / 2}) {
      EXPECT_EQ(simulate(tree, scatter_schedule(tree, root)).deliveries, tree.leaf_count() - 1);
      EXPECT_EQ(steps(tree, broadcast_schedule(tree, root)), broadcast_bound(tree, root));
      // Farthest first is optimal on every tree.
      EXPECT_EQ(steps(tree, scatter_schedule(tree, root)), scatter_bound(tree, root));
      EXPECT_EQ(simulate(tree, gather_schedule(tree, root)).steps,
                simulate(tree, scatter_schedule(tree, root)).steps);
    }
  }
}

TEST(FatTreeSchedules, ConsecutiveScatters) {
  for (const int n : {1, 2, 4, 8, 64}) {
    const FatTree tree = FatTree::balanced(n);
    EXPECT_EQ(steps(tree, consecutive_scatters_schedule(tree)), consecutive_scatters_steps(n));
  }
  EXPECT_EQ(consecutive_scatters_steps(64), 64 * 65);
}

// Half duplex costs at most a factor of two ([F], section 2), and a step for the parity.
TEST(FatTreeSchedules, HalfDuplexCostsAtMostTwice) {
  for (const int n : {4, 8, 32, 64}) {
    for (const FatTree& tree : {FatTree::balanced(n), FatTree::balanced(n).exponential()}) {
      for (const PacketSchedule& schedule :
           {broadcast_schedule(tree, 0), scatter_schedule(tree, 0), gather_schedule(tree, 0),
            multinode_flooding_schedule(tree), multinode_queueless_schedule(tree),
            total_exchange_schedule(tree)}) {
        const std::int64_t full = simulate(tree, schedule).steps;
        const std::int64_t half = simulate(tree, schedule, Duplex::half).steps;
        EXPECT_GE(half, full);
        EXPECT_LE(half, 2 * full);
      }
    }
  }
}

}  // namespace
}  // namespace postroom
