// The messages of an algorithm on a fat tree, with the processors in tree order and in any other.
//
// Source: [P], section 2.6: numbered along the leaves, the ranges of an algorithm are subtrees and
// nobody is in anybody's way. Steps are those of the packet model (fat_trees/fat_tree_replay.h);
// the random orders are the same in every run.
//
//   const auto messages = lambda_tree_messages(PostalTree::bottom_up(2, 64), /*packets=*/16);
//   steps_by_order(FatTree::balanced(64), messages, Replay::kCausal).ratio();
#pragma once

#include <cstdint>
#include <vector>

#include "collectives/models/postal_tree.h"
#include "fat_trees/fat_tree.h"
#include "fat_trees/fat_tree_packet.h"
#include "fat_trees/fat_tree_replay.h"

namespace postroom::cli {

/// A broadcast of `packets` packets down `tree`: sends are in successive rounds after the receive.
std::vector<TreeMessage> lambda_tree_messages(const PostalTree& tree, std::int64_t packets);
/// The packets of a schedule, its steps as rounds.
std::vector<TreeMessage> messages_of(const PacketSchedule& schedule);
/// In round r everybody sends to the one r further.
std::vector<TreeMessage> pairwise_messages(int processors);

inline constexpr int kRandomOrders = 20;

struct OrderSteps {
  std::int64_t in_tree_order = 0;
  double random_mean = 0;  ///< of kRandomOrders
  std::int64_t random_worst = 0;
  double ratio() const { return random_mean / static_cast<double>(in_tree_order); }
};
OrderSteps steps_by_order(const FatTree& tree, const std::vector<TreeMessage>& messages,
                          Replay mode);

}  // namespace postroom::cli
