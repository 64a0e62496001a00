#include "fat_trees/fat_tree_schedules.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

namespace postroom {
namespace {

void check_root(const FatTree& tree, int root) {
  if (root >= 0 && root < tree.leaf_count()) return;
  throw std::invalid_argument("schedule: root " + std::to_string(root) + " is not allowed; 0 to " +
                              std::to_string(tree.leaf_count() - 1));
}

/// How many packets can leave a leaf in a step.
int leaf_links(const FatTree& tree) { return tree.levels() == 0 ? 1 : tree.capacity(1); }

std::vector<Packet> scatter_packets(const FatTree& tree, int root) {
  const std::vector<int> targets = farthest_first(tree, root);
  std::vector<Packet> packets;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    packets.push_back({static_cast<std::int64_t>(i) / leaf_links(tree) + 1, root, targets[i]});
  }
  return packets;
}

/// When nothing delays it.
std::int64_t arrival(const FatTree& tree, const Packet& packet) {
  return packet.step + 2 * tree.level(packet.source, packet.target) - 1;
}

std::int64_t last_arrival(const FatTree& tree, const std::vector<Packet>& packets) {
  std::int64_t last = 0;
  for (const Packet& packet : packets) last = std::max(last, arrival(tree, packet));
  return last;
}

PacketSchedule stored(std::vector<Packet> packets) {
  return [packets = std::move(packets)](const PacketSink& sink) {
    for (const Packet& packet : packets) sink(packet);
  };
}

/// The leaves below `child`, one packet each to every sibling.
class MulticastStream {
 public:
  /// `received` counts what was sent to each node in a step.
  struct Received {
    std::int64_t step = 0;
    int packets = 0;
  };

  MulticastStream(const FatTree& tree, int node, int child, std::vector<Received>& received)
      : tree_(&tree), received_(&received), node_(node), child_(child) {}

  bool done() const {
    const auto [first, last] = tree_->children(node_);
    return turn_ == last - first;
  }

  bool try_send(std::int64_t step, const PacketSink& sink) {
    const int target = sibling(*tree_, node_, child_, turn_);
    // Copies reach every leaf, so a leaf's own links are what is scarce.
    if (!take((*received_)[target], step)) return false;
    if (!take(sent_, step)) {
      --(*received_)[target].packets;
      return false;
    }
    const auto [first, last] = tree_->leaves(child_);
    sink({step, first + next_, target});
    if (++next_ == last - first) {
      next_ = 0;
      ++turn_;
    }
    return true;
  }

 private:
  bool take(Received& links, std::int64_t step) const {
    if (links.step != step) links = {step, 0};
    if (links.packets == tree_->capacity(1)) return false;
    ++links.packets;
    return true;
  }

  const FatTree* tree_;
  std::vector<Received>* received_;
  int node_, child_;
  int turn_ = 1;
  int next_ = 0;
  Received sent_;
};

}  // namespace

std::vector<int> farthest_first(const FatTree& tree, int root) {
  check_root(tree, root);
  std::vector<int> targets(tree.leaf_count());
  std::iota(targets.begin(), targets.end(), 0);
  targets.erase(targets.begin() + root);
  std::ranges::stable_sort(targets, std::greater(),
                           [&](int target) { return tree.level(root, target); });
  return targets;
}

PacketSchedule broadcast_schedule(FatTree tree, int root) {
  check_root(tree, root);
  return stored({{1, root, tree.root()}});
}

PacketSchedule scatter_schedule(FatTree tree, int root) {
  return stored(scatter_packets(tree, root));
}

PacketSchedule gather_schedule(FatTree tree, int root) {
  std::vector<Packet> packets = scatter_packets(tree, root);
  const std::int64_t last = last_arrival(tree, packets);
  for (Packet& packet : packets) {
    packet = {last + 1 - arrival(tree, packet), packet.target, packet.source};
  }
  std::ranges::stable_sort(packets, {}, &Packet::step);
  return stored(std::move(packets));
}

PacketSchedule multinode_flooding_schedule(FatTree tree) {
  std::vector<Packet> packets;
  for (int leaf = 0; leaf < tree.leaf_count(); ++leaf) packets.push_back({1, leaf, tree.root()});
  return stored(std::move(packets));
}

PacketSchedule multinode_queueless_schedule(FatTree tree, Phases phases) {
  return [tree = std::move(tree), phases](const PacketSink& sink) {
    std::vector<MulticastStream::Received> received(tree.node_count());
    run_phases<MulticastStream>(tree, phases, sink, received);
  };
}

PacketSchedule consecutive_scatters_schedule(FatTree tree) {
  return [tree = std::move(tree)](const PacketSink& sink) {
    std::int64_t before = 0;
    for (int root = 0; root < tree.leaf_count(); ++root) {
      std::vector<Packet> packets = scatter_packets(tree, root);
      const std::int64_t last = last_arrival(tree, packets);
      for (Packet& packet : packets) {
        packet.step += before;
        sink(packet);
      }
      before += last;
    }
  };
}

}  // namespace postroom
