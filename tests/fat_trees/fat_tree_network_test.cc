// The packet model against cases worked out by hand, and against a second, slow model.
#include "fat_trees/fat_tree_network.h"

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <tuple>

#include "fat_trees/unhindered_packets.h"
#include "tests/thrown.h"

namespace postroom {
namespace {

PacketSchedule of(std::vector<Packet> packets) {
  return [packets = std::move(packets)](const PacketSink& sink) {
    for (const Packet& packet : packets) sink(packet);
  };
}

TEST(FatTreeNetwork, APacketTakesTwoStepsForEachLevel) {
  const FatTree tree = FatTree::balanced(8);
  EXPECT_EQ(simulate(tree, of({{1, 0, 1}})).steps, 2);
  EXPECT_EQ(simulate(tree, of({{1, 0, 2}})).steps, 4);
  EXPECT_EQ(simulate(tree, of({{1, 0, 7}})).steps, 6);
  EXPECT_EQ(simulate(tree, of({{5, 7, 0}})).steps, 10);
}

TEST(FatTreeNetwork, PacketsWaitForALink) {
  const FatTree tree = FatTree::balanced(4);
  // Both need the branch above {0, 1}; one of them waits a step.
  const FatTreeReport report = simulate(tree, of({{1, 0, 2}, {1, 1, 3}}));
  EXPECT_EQ(report.steps, 5);
  EXPECT_EQ(report.largest_queue[1], (UpDown{2, 1}));
  EXPECT_EQ(report.largest_queue[0], (UpDown{1, 1}));
  EXPECT_EQ(report.load[tree.ancestor(0, 1)], (UpDown{2, 0}));
  EXPECT_EQ(report.load[tree.ancestor(2, 1)], (UpDown{0, 2}));
  EXPECT_EQ(report.load[2], (UpDown{0, 1}));
  EXPECT_EQ(report.packets, 2);
  EXPECT_EQ(report.deliveries, 2);
  EXPECT_EQ(simulate(tree.exponential(), of({{1, 0, 2}, {1, 1, 3}})).steps, 4);
}

TEST(FatTreeNetwork, RoutersMakeCopies) {
  const FatTree tree = FatTree::balanced(8);
  const FatTreeReport all = simulate(tree, of({{1, 2, tree.root()}}));
  EXPECT_EQ(all.steps, 6);
  EXPECT_EQ(all.deliveries, 7);
  EXPECT_EQ(all.packets, 1);
  for (int node = 0; node < tree.root(); ++node) {
    const bool above_source = tree.leaves(node).first <= 2 && 2 < tree.leaves(node).second;
    EXPECT_EQ(all.load[node], (above_source ? UpDown{1, 0} : UpDown{0, 1})) << node;
  }
  // To the other half alone, to the own half, to the own pair.
  EXPECT_EQ(simulate(tree, of({{1, 2, tree.ancestor(4, 2)}})).deliveries, 4);
  EXPECT_EQ(simulate(tree, of({{1, 2, tree.ancestor(0, 2)}})).deliveries, 3);
  EXPECT_EQ(simulate(tree, of({{1, 2, tree.ancestor(2, 1)}})).deliveries, 1);
  EXPECT_EQ(simulate(tree, of({{1, 2, 2}})).deliveries, 0);
  EXPECT_EQ(simulate(FatTree::balanced(1), of({{1, 0, 0}})).steps, 0);
}

TEST(FatTreeNetwork, IdleStepsCostNothing) {
  EXPECT_EQ(simulate(FatTree::balanced(4), of({{1'000'000'000'000, 0, 3}})).steps,
            1'000'000'000'003);
}

TEST(FatTreeNetwork, HalfDuplexSharesTheLinks) {
  const FatTree tree = FatTree::balanced(2);
  const PacketSchedule swap = of({{1, 0, 1}, {1, 1, 0}});
  EXPECT_EQ(simulate(tree, swap).steps, 2);
  // Up at step 1; at step 2 both packets go down, and the links have nothing else to do.
  EXPECT_EQ(simulate(tree, swap, Duplex::half).steps, 2);
  // Then the second ones would like to go up as the first ones come down: at even steps down is
  // first.
  const PacketSchedule twice = of({{1, 0, 1}, {1, 1, 0}, {2, 0, 1}, {2, 1, 0}});
  EXPECT_EQ(simulate(tree, twice).steps, 3);
  EXPECT_EQ(simulate(tree, twice, Duplex::half).steps, 4);
}

/// Step by step, whether anybody waits or not.
FatTreeReport stepped(const FatTree& tree, const std::vector<Packet>& packets) {
  FatTreeNetwork network(tree);
  for (const Packet& packet : packets) {
    network.run_until(packet.step - 1);
    network.inject(packet.source, packet.target);
  }
  while (!network.idle()) network.step();
  return network.report();
}

TEST(FatTreeNetwork, CountingIsEnoughWhereNobodyWaits) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  int counted = 0, waited = 0;
  for (int round = 0; round < 300; ++round) {
    FatTree tree = FatTree::balanced(1 + below(24), 2 + below(3));
    if (round % 3 == 0) tree = tree.exponential();
    std::vector<Packet> packets;
    const int each_step = 1 + below(6);
    for (int i = 0; i < 40; ++i) {
      packets.push_back({1 + i / each_step, below(tree.leaf_count()), below(tree.leaf_count())});
    }
    const FatTreeReport all = stepped(tree, packets);
    EXPECT_EQ(simulate(tree, of(packets)), all);
    const std::optional<FatTreeReport> quick = report_unhindered(tree, of(packets));
    ++(quick ? counted : waited);
    EXPECT_EQ(quick.value_or(all), all);
    // One after another, nobody waits for anybody, and each step is later than the one before.
    for (std::size_t i = 0; i < packets.size(); ++i) {
      packets[i].step = static_cast<std::int64_t>(i) * 20 + 1;
    }
    EXPECT_EQ(report_unhindered(tree, of(packets)), stepped(tree, packets));
  }
  EXPECT_GT(counted, 0);
  EXPECT_GT(waited, 0);
}

TEST(FatTreeNetwork, CountingGivesUpWhereItCannotTell) {
  const FatTree tree = FatTree::balanced(4);
  EXPECT_FALSE(report_unhindered(tree, of({{1, 0, 2}, {1, 1, 3}})));  // one waits
  EXPECT_FALSE(report_unhindered(tree, of({{1, 0, 3}, {3, 2, 3}})));  // both at leaf 3
  EXPECT_FALSE(report_unhindered(tree, of({{1, 0, 3}, {2, 2, 3}})));  // overtaken on the way
  EXPECT_TRUE(report_unhindered(tree, of({{1, 0, 3}, {4, 2, 3}})));
  EXPECT_FALSE(report_unhindered(tree, of({{1, 0, tree.root()}})));  // copies
  for (const Packet wrong :
       {Packet{2, 4, 0}, {2, -1, 0}, {2, 0, 9}, {2, 0, -1}, {1, 0, 1}, {0, 0, 1}}) {
    EXPECT_FALSE(report_unhindered(tree, of({{2, 0, 1}, wrong})));
  }
}

TEST(FatTreeNetwork, TellsAnObserverWhatMoves) {
  FatTreeNetwork network(FatTree::balanced(4));
  std::vector<std::tuple<int, bool, int>> seen;
  network.observe([&](int node, bool up, int tag) { seen.emplace_back(node, up, tag); });
  network.inject(0, 2, 77);
  while (!network.idle()) network.step();
  EXPECT_EQ(seen, (std::vector<std::tuple<int, bool, int>>{
                      {0, true, 77}, {4, true, 77}, {5, false, 77}, {2, false, 77}}));
}

TEST(FatTreeNetwork, RefusesWhatIsNotInTheTree) {
  const FatTree tree = FatTree::balanced(4);
  const auto refusal = [&](Packet packet) {
    return thrown<std::invalid_argument>([&] { (void)simulate(tree, of({{3, 0, 1}, packet})); });
  };
  EXPECT_EQ(refusal({3, 4, 0}), "packet: source 4 is not allowed; 0 to 3");
  EXPECT_EQ(refusal({3, -1, 0}), "packet: source -1 is not allowed; 0 to 3");
  EXPECT_EQ(refusal({3, 0, 7}), "packet: target 7 is not allowed; 0 to 6");
  EXPECT_EQ(refusal({2, 0, 1}), "packet: step 2 is not allowed; at least 3");
  EXPECT_EQ(refusal({3, 0, 3}), "nothing was thrown");
}

// --- A second model: every packet knows its whole way, every step looks at every packet.

struct Walker {
  std::vector<std::pair<int, bool>> way;  // branches by the node below, and whether up
  std::int64_t start;
};

Walker walker(const FatTree& tree, const Packet& packet) {
  Walker walker{{}, packet.step};
  const int meet = tree.level(packet.source, packet.target);
  for (int level = 0; level < meet; ++level) {
    walker.way.emplace_back(tree.ancestor(packet.source, level), true);
  }
  for (int level = meet - 1; level >= 0; --level) {
    walker.way.emplace_back(tree.ancestor(packet.target, level), false);
  }
  return walker;
}

/// The last step, and the load of each branch in each direction.
std::int64_t slow_steps(const FatTree& tree, const std::vector<Packet>& packets, Duplex duplex,
                        std::map<std::pair<int, bool>, std::int64_t>& load) {
  struct State {
    Walker walker;
    std::size_t at = 0;
  };
  std::map<std::pair<int, bool>, std::deque<State>> queues;
  std::size_t next = 0;
  std::size_t left = packets.size();
  std::int64_t step = 0;
  while (left > 0) {
    ++step;
    for (; next < packets.size() && packets[next].step == step; ++next) {
      State state{walker(tree, packets[next])};
      queues[state.walker.way[0]].push_back(state);
    }
    std::map<int, int> used;  // under half duplex, by branch
    std::vector<State> moved;
    for (const bool up : {step % 2 == 1, step % 2 == 0}) {
      for (auto& [branch, queue] : queues) {
        if (branch.second != up) continue;
        int free = tree.capacity_above(branch.first);
        if (duplex == Duplex::half) free -= used[branch.first];
        for (; free > 0 && !queue.empty(); --free) {
          moved.push_back(queue.front());
          queue.pop_front();
          ++used[branch.first];
          ++load[branch];
        }
      }
    }
    for (State& state : moved) {
      if (++state.at == state.walker.way.size()) {
        --left;
      } else {
        queues[state.walker.way[state.at]].push_back(state);
      }
    }
  }
  return step;
}

TEST(FatTreeNetwork, AgreesWithASlowModel) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  for (int round = 0; round < 60; ++round) {
    FatTree tree = FatTree::balanced(2 + below(20), 2 + below(3));
    std::vector<int> capacities;
    for (int level = 0; level < tree.levels(); ++level) {
      capacities.push_back((level == 0 ? 1 : capacities.back()) + below(2));
    }
    tree = tree.with_capacities(capacities);
    std::vector<Packet> packets;
    // All from one source: then nothing joins on the way, and the order in every queue is plain.
    const int source = below(tree.leaf_count());
    for (int i = 0; i < 40; ++i) {
      const int target = below(tree.leaf_count());
      if (target != source) packets.push_back({1 + i / 3, source, target});
    }
    for (const Duplex duplex : {Duplex::full, Duplex::half}) {
      std::map<std::pair<int, bool>, std::int64_t> load;
      const std::int64_t steps = slow_steps(tree, packets, duplex, load);
      const FatTreeReport report = simulate(tree, of(packets), duplex);
      EXPECT_EQ(report.steps, steps);
      for (int node = 0; node < tree.root(); ++node) {
        EXPECT_EQ(report.load[node], (UpDown{load[{node, true}], load[{node, false}]}));
      }
    }
  }
}

}  // namespace
}  // namespace postroom
