#include "fat_trees/fat_tree_replay.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "fat_trees/fat_tree_schedules.h"
#include "tests/fat_trees/packets.h"
#include "tests/thrown.h"

namespace postroom {
namespace {

TEST(FatTreeReplay, OfAScatterIsTheSchedule) {
  const FatTree tree = FatTree::balanced(16);
  std::vector<TreeMessage> messages;
  for (const Packet& packet : packets_of(scatter_schedule(tree, 3))) {
    messages.push_back({packet.source, packet.target, packet.step});
  }
  EXPECT_EQ(packets_of(schedule_of(tree, messages, Copies::kNone)),
            packets_of(scatter_schedule(tree, 3)));
  EXPECT_EQ(replay(tree, messages, Replay::kRoundIsStep).steps, 17);
  EXPECT_EQ(replay(tree, messages, Replay::kCausal).steps, 17);
}

// On a ring each message waits for the one before.
TEST(FatTreeReplay, CausalWaitsForWhatIsReceived) {
  const FatTree tree = FatTree::balanced(4);
  // 0 → 1 → 2 → 3: 2 + 4 + 2 steps.
  const std::vector<TreeMessage> chain{{0, 1, 1}, {1, 2, 2}, {2, 3, 3}};
  EXPECT_EQ(replay(tree, chain, Replay::kCausal).steps, 8);
  EXPECT_EQ(replay(tree, chain, Replay::kRoundIsStep).steps, 5);
  // Cut into three packets each: 4 + 6 + 4, since a message is complete with its last packet.
  std::vector<TreeMessage> large = chain;
  for (TreeMessage& message : large) message.packets = 3;
  EXPECT_EQ(replay(tree, large, Replay::kCausal).steps, 14);
  // Half duplex: nothing travels against it.
  EXPECT_EQ(replay(tree, chain, Replay::kCausal, Copies::kNone, Duplex::half).steps, 8);
}

TEST(FatTreeReplay, ASenderKeepsTheOrderOfItsRounds) {
  const FatTree tree = FatTree::balanced(2);
  // The message of round 5 waits for what 1 sends in round 4; nothing else holds it back.
  EXPECT_EQ(replay(tree, {{0, 1, 5}, {1, 0, 4}}, Replay::kCausal).steps, 4);
  EXPECT_EQ(replay(tree, {{0, 1, 5}, {1, 0, 5}}, Replay::kCausal).steps, 2);
  EXPECT_EQ(replay(tree, {}, Replay::kCausal).steps, 0);
  EXPECT_EQ(replay(tree, {{1, 1, 1}}, Replay::kCausal).deliveries, 0);
}

std::vector<TreeMessage> to_all(int source, const std::vector<int>& targets) {
  std::vector<TreeMessage> messages;
  for (const int target : targets) messages.push_back({source, target, 2});
  return messages;
}

TEST(FatTreeReplay, RoutersCopyWhatGoesToASubtree) {
  const FatTree tree = FatTree::balanced(8);
  const auto target = [&](int source, const std::vector<int>& targets) {
    const auto packets = packets_of(schedule_of(tree, to_all(source, targets), Copies::kByRouters));
    return packets.size() == 1 ? packets[0].target : -1;
  };
  EXPECT_EQ(target(0, {4, 5, 6, 7}), tree.ancestor(4, 2));
  EXPECT_EQ(target(0, {6, 7}), tree.ancestor(6, 1));
  EXPECT_EQ(target(0, {1, 2, 3, 4, 5, 6, 7}), tree.root());
  EXPECT_EQ(target(7, {0, 1, 2, 3, 4, 5, 6}), tree.root());
  EXPECT_EQ(target(1, {0, 2, 3}), tree.ancestor(0, 2));
  EXPECT_EQ(target(0, {2, 3, 1}), tree.ancestor(0, 2));
  EXPECT_EQ(target(4, {5}), 5);
  EXPECT_EQ(target(0, {3, 4}), -1);
  EXPECT_EQ(target(0, {2, 3, 4, 5}), -1);
  EXPECT_EQ(target(0, {4, 5, 6}), -1);
  EXPECT_EQ(target(2, {0, 1, 4}), -1);
  // Not where that is not asked for, and not where sizes differ.
  EXPECT_EQ(packets_of(schedule_of(tree, to_all(0, {6, 7}), Copies::kNone)).size(), 2u);
  EXPECT_EQ(packets_of(schedule_of(tree, {{0, 6, 1, 2}, {0, 7, 1, 1}}, Copies::kByRouters)).size(),
            3u);
  EXPECT_EQ(packets_of(schedule_of(tree, {{0, 6, 1, 2}, {0, 7, 1, 2}}, Copies::kByRouters)).size(),
            2u);
}

// What goes to its own sender is no part of it.
TEST(FatTreeReplay, RoutersDoNotCountAMessageToOneself) {
  const FatTree tree = FatTree::balanced(4);
  const auto packets =
      packets_of(schedule_of(tree, {{0, 0, 1}, {0, 1, 1}, {0, 2, 1}}, Copies::kByRouters));
  EXPECT_EQ(packets,
            packets_of(schedule_of(tree, {{0, 0, 1}, {0, 1, 1}, {0, 2, 1}}, Copies::kNone)));
  const auto all = packets_of(
      schedule_of(tree, {{0, 0, 1}, {0, 1, 1}, {0, 2, 1}, {0, 3, 1}}, Copies::kByRouters));
  EXPECT_EQ(all.size(), 2u);
}

TEST(FatTreeReplay, OfAFloodIsTheSchedule) {
  for (const int n : {2, 5, 8, 64}) {
    const FatTree tree = FatTree::balanced(n);
    std::vector<TreeMessage> messages;
    for (int a = 0; a < n; ++a) {
      for (int b = 0; b < n; ++b) {
        if (a != b) messages.push_back({a, b, 1});
      }
    }
    const FatTreeReport flood = simulate(tree, multinode_flooding_schedule(tree));
    EXPECT_EQ(replay(tree, messages, Replay::kRoundIsStep, Copies::kByRouters).steps, flood.steps);
    EXPECT_EQ(replay(tree, messages, Replay::kCausal, Copies::kByRouters).steps, flood.steps);
  }
}

TEST(FatTreeReplay, RefusesWhatIsNoMessage) {
  const FatTree tree = FatTree::balanced(4);
  const auto refusal = [&](TreeMessage message) {
    return thrown<std::invalid_argument>([&] { (void)replay(tree, {message}, Replay::kCausal); });
  };
  EXPECT_EQ(refusal({4, 0}), "message: source 4 is not allowed; 0 to 3");
  EXPECT_EQ(refusal({0, -1}), "message: target -1 is not allowed; 0 to 3");
  EXPECT_EQ(refusal({0, 1, 0}), "message: round 0 is not allowed; at least 1");
  EXPECT_EQ(refusal({0, 1, 1, 0}), "message: packets 0 is not allowed; at least 1");
}

}  // namespace
}  // namespace postroom
