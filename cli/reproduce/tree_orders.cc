#include "cli/reproduce/tree_orders.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <random>

namespace postroom::cli {
namespace {

using Order = std::vector<int>;

std::vector<TreeMessage> reordered(std::vector<TreeMessage> messages, const Order& order) {
  for (TreeMessage& message : messages) {
    message.source = order[static_cast<std::size_t>(message.source)];
    message.target = order[static_cast<std::size_t>(message.target)];
  }
  return messages;
}

}  // namespace

std::vector<TreeMessage> lambda_tree_messages(const PostalTree& tree, std::int64_t packets) {
  std::vector<TreeMessage> messages;
  std::vector<std::int64_t> received(static_cast<std::size_t>(tree.processors()), 0);
  for (int node = 0; node < tree.processors(); ++node) {  // parents come before their children
    std::int64_t round = received[static_cast<std::size_t>(node)];
    for (const int child : tree.node(node).children) {
      received[static_cast<std::size_t>(child)] = ++round;
      messages.push_back({node, child, round, packets});
    }
  }
  return messages;
}

std::vector<TreeMessage> messages_of(const PacketSchedule& schedule) {
  std::vector<TreeMessage> messages;
  schedule([&](const Packet& packet) {
    messages.push_back({packet.source, packet.target, packet.step});
  });
  return messages;
}

std::vector<TreeMessage> pairwise_messages(int processors) {
  std::vector<TreeMessage> messages;
  for (int round = 1; round < processors; ++round) {
    for (int source = 0; source < processors; ++source) {
      messages.push_back({source, (source + round) % processors, round});
    }
  }
  return messages;
}

OrderSteps steps_by_order(const FatTree& tree, const std::vector<TreeMessage>& messages,
                          Replay mode) {
  OrderSteps steps{.in_tree_order = replay(tree, messages, mode).steps};
  std::mt19937 random(1);
  for (int i = 0; i < kRandomOrders; ++i) {
    Order order(static_cast<std::size_t>(tree.leaf_count()));
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);
    const std::int64_t taken = replay(tree, reordered(messages, order), mode).steps;
    steps.random_mean += static_cast<double>(taken) / kRandomOrders;
    steps.random_worst = std::max(steps.random_worst, taken);
  }
  return steps;
}

}  // namespace postroom::cli
