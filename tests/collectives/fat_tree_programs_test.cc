// The programs of [F], run on threads, hand the packet model the same packets at the same steps as
// the schedules do.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <tuple>

#include "collectives/algorithms/alltoall_fat_tree.h"
#include "collectives/allgather.h"
#include "collectives/alltoall.h"
#include "collectives/broadcast.h"
#include "collectives/gather.h"
#include "collectives/parts/fat_tree_plan.h"
#include "collectives/scatter.h"
#include "fat_trees/fat_tree.h"
#include "fat_trees/fat_tree_network.h"
#include "fat_trees/fat_tree_replay.h"
#include "fat_trees/fat_tree_schedules.h"
#include "fat_trees/total_exchange_schedule.h"
#include "tests/collectives/testing.h"
#include "tests/fat_trees/packets.h"

namespace postroom {
namespace {

constexpr int kProcessors[] = {1, 2, 3, 4, 5, 6, 7, 8, 12, 13, 16, 31, 32, 33};

std::vector<Packet> sorted(std::vector<Packet> packets) {
  std::ranges::sort(packets, {}, [](const Packet& packet) {
    return std::tuple(packet.step, packet.source, packet.target);
  });
  return packets;
}

std::vector<TreeMessage> run(int processors, const Machine::Program& program) {
  Machine& machine = tracing_machine_of(processors);
  machine.run(program);
  std::vector<TreeMessage> messages;
  for (const Trace::Message& message : machine.trace().messages()) {
    messages.push_back({message.source, message.target, message.round});
  }
  return messages;
}

/// What a trace of the schedule would hold: a message for each copy.
std::vector<TreeMessage> messages_of(const FatTree& tree, const PacketSchedule& schedule) {
  std::vector<TreeMessage> messages;
  schedule([&](const Packet& packet) {
    const auto [first, last] = tree.leaves(packet.target);
    for (int leaf = first; leaf < last; ++leaf) {
      if (leaf != packet.source) messages.push_back({packet.source, leaf, packet.step});
    }
  });
  return messages;
}

void expect_same(const FatTree& tree, const std::vector<TreeMessage>& messages,
                 const PacketSchedule& schedule) {
  const PacketSchedule traced = schedule_of(tree, messages, Copies::kByRouters);
  // Through the same function, since a set of leaves may be written as one router or another.
  const PacketSchedule expected =
      schedule_of(tree, messages_of(tree, schedule), Copies::kByRouters);
  EXPECT_EQ(sorted(packets_of(traced)), sorted(packets_of(expected)));
  EXPECT_EQ(simulate(tree, traced).steps, simulate(tree, schedule).steps);
}

std::vector<int> roots(int processors) {
  if (processors <= 8) {
    std::vector<int> all(processors);
    std::iota(all.begin(), all.end(), 0);
    return all;
  }
  return {0, processors / 3, processors - 1};
}

TEST(FatTreePrograms, FromAndToOneProcessor) {
  for (const int p : kProcessors) {
    const FatTree tree = FatTree::balanced(p);
    for (const int root : roots(p)) {
      SCOPED_TRACE("p = " + std::to_string(p) + ", root " + std::to_string(root));
      const std::vector<int> all(p);
      expect_same(tree,
                  run(p,
                      [&](Processor& self) {
                        broadcast(self, root, std::vector<int>(1), Algorithm::flooding);
                      }),
                  p == 1 ? [](const PacketSink&) {} : broadcast_schedule(tree, root));
      expect_same(tree,
                  run(p,
                      [&](Processor& self) {
                        scatter(self, root, all, std::vector<int>(1), Algorithm::farthest_first);
                      }),
                  scatter_schedule(tree, root));
      expect_same(tree,
                  run(p,
                      [&](Processor& self) {
                        gather(self, root, std::vector<int>(1), std::vector<int>(p),
                               Algorithm::farthest_first);
                      }),
                  gather_schedule(tree, root));
    }
  }
}

TEST(FatTreePrograms, FromAllToAll) {
  for (const int p : kProcessors) {
    SCOPED_TRACE("p = " + std::to_string(p));
    const FatTree cbft = FatTree::balanced(p);
    const FatTree ebft = cbft.exponential();
    const auto allgathered = [&](Algorithm algorithm) {
      return run(p, [&](Processor& self) {
        allgather(self, std::vector<int>(1), std::vector<int>(p), algorithm);
      });
    };
    if (p > 1) {
      expect_same(cbft, allgathered(Algorithm::flooding), multinode_flooding_schedule(cbft));
    }
    expect_same(cbft, allgathered(Algorithm::queueless), multinode_queueless_schedule(cbft));
    const std::vector<TreeMessage> exchange = run(p, [&](Processor& self) {
      alltoall(self, std::vector<int>(p), std::vector<int>(p), Algorithm::fat_tree);
    });
    expect_same(ebft, exchange, total_exchange_schedule(ebft, ExchangeOrder::kExponential));
  }
}

TEST(FatTreePrograms, TotalExchangeByPlanOnAnyTree) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (const int p : {1, 2, 3, 7, 8, 13, 16}) {
    for (const int arity : {2, 3}) {
      FatTree tree = FatTree::balanced(p, arity);
      std::vector<int> capacities;
      for (int level = 0; level < tree.levels(); ++level) {
        capacities.push_back((level == 0 ? 1 : capacities.back()) + static_cast<int>(random() % 2));
      }
      tree = tree.with_capacities(capacities);
      for (const ExchangeOrder order :
           {ExchangeOrder::kConstant, ExchangeOrder::kExponential, ExchangeOrder::kAny}) {
        const FatTreePlan plan(tree, order);
        const std::vector<TreeMessage> messages = run(p, [&](Processor& self) {
          std::vector<std::int64_t> send;
          std::vector<std::int64_t> expected;
          for (int q = 0; q < p; ++q) {
            std::ranges::copy(elements(self.id(), q, 9), std::back_inserter(send));
            std::ranges::copy(elements(q, self.id(), 9), std::back_inserter(expected));
          }
          std::vector<std::int64_t> receive = unset(expected.size());
          alltoall_planned(self, bytes_of(send), writable_bytes_of(receive), plan);
          EXPECT_EQ(receive, expected);
        });
        const PacketSchedule traced = schedule_of(tree, messages, Copies::kNone);
        EXPECT_EQ(sorted(packets_of(traced)),
                  sorted(packets_of(total_exchange_schedule(tree, order))));
      }
    }
  }
}

TEST(FatTreePrograms, PlansRefuseWrongArguments) {
  const FatTreePlan plan(FatTree::balanced(4));
  machine_of(3).run([&](Processor& self) {
    std::vector<int> send(3), receive(3);
    EXPECT_EQ(
        refusal([&] { alltoall_planned(self, bytes_of(send), writable_bytes_of(receive), plan); }),
        "alltoall: a plan for 4 processors is not allowed; 3");
    const FatTreePlan fitting(FatTree::balanced(3));
    EXPECT_EQ(
        refusal([&] { alltoall_planned(self, bytes_of(send), writable_bytes_of(send), fitting); }),
        "alltoall: send and receive overlap, which is not allowed; separate memory");
  });
}

}  // namespace
}  // namespace postroom
