#include "fat_trees/fat_tree_replay.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

namespace postroom {
namespace {

void check(const FatTree& tree, const TreeMessage& message) {
  const auto refuse = [](const char* name, std::int64_t value, const std::string& allowed) {
    throw std::invalid_argument(std::string("message: ") + name + " " + std::to_string(value) +
                                " is not allowed; " + allowed);
  };
  const std::string leaves = "0 to " + std::to_string(tree.leaf_count() - 1);
  if (message.source < 0 || message.source >= tree.leaf_count()) {
    refuse("source", message.source, leaves);
  }
  if (message.target < 0 || message.target >= tree.leaf_count()) {
    refuse("target", message.target, leaves);
  }
  if (message.round < 1) refuse("round", message.round, "at least 1");
  if (message.packets < 1) refuse("packets", message.packets, "at least 1");
}

bool same_sender_and_round(const TreeMessage& a, const TreeMessage& b) {
  return a.source == b.source && a.round == b.round;
}

/// The node whose leaves, the source aside, are the targets of these messages of one sender and
/// round, sorted by target; -1 if there is none.
int common_subtree(const FatTree& tree, std::span<const TreeMessage> messages) {
  const int source = messages.front().source;
  const int first = messages.front().target;
  const int last = messages.back().target;
  const int level = tree.level(first, last);
  const auto holds_source = [&](int node) {
    return tree.leaves(node).first <= source && source < tree.leaves(node).second;
  };
  // The subtree of the targets, or of the targets and the source beside them.
  const int with_source = std::max(level, tree.level(first, source));
  for (const int candidate : {level, with_source}) {
    const int node = tree.ancestor(first, candidate);
    const int targets = tree.size(node) - (holds_source(node) ? 1 : 0);
    if (targets == static_cast<int>(messages.size())) return node;
  }
  return -1;
}

/// Adds what one sender sends in one round, to others or to itself.
void add_packets(const FatTree& tree, std::span<const TreeMessage> messages, Copies copies,
                 std::vector<Packet>& packets) {
  if (messages.empty()) return;
  const auto add = [&](const TreeMessage& message, int target) {
    for (std::int64_t i = 0; i < message.packets; ++i) {
      packets.push_back({message.round, message.source, target});
    }
  };
  const bool differ = std::ranges::adjacent_find(messages, [](const auto& a, const auto& b) {
                        return a.packets != b.packets || a.target == b.target;
                      }) != messages.end();
  const bool several = copies == Copies::kByRouters && messages.size() > 1 && !differ;
  const int node = several ? common_subtree(tree, messages) : -1;
  if (node >= 0) return add(messages.front(), node);
  for (const TreeMessage& message : messages) add(message, message.target);
}

std::vector<Packet> packets_by_round(const FatTree& tree, std::vector<TreeMessage> messages,
                                     Copies copies) {
  for (const TreeMessage& message : messages) check(tree, message);
  std::ranges::stable_sort(messages, {}, [](const TreeMessage& message) {
    return std::tuple(message.round, message.source, message.target);
  });
  std::vector<Packet> packets;
  // What a processor sends to itself passes no router, so it is no part of what one copies.
  std::vector<TreeMessage> others;
  const auto is_own = [](const TreeMessage& message) { return message.source == message.target; };
  for (std::size_t begin = 0; begin < messages.size();) {
    std::size_t end = begin + 1;
    while (end < messages.size() && same_sender_and_round(messages[begin], messages[end])) ++end;
    const auto all = std::span(messages).subspan(begin, end - begin);
    others.clear();
    std::ranges::remove_copy_if(all, std::back_inserter(others), is_own);
    for (const TreeMessage& message : all) {
      if (is_own(message)) add_packets(tree, {&message, 1}, Copies::kNone, packets);
    }
    add_packets(tree, others, copies, packets);
    begin = end;
  }
  return packets;
}

/// The leaves that get a copy.
template <class Visit>
void for_each_receiver(const FatTree& tree, const Packet& packet, const Visit& visit) {
  const auto [first, last] = tree.leaves(packet.target);
  for (int leaf = first; leaf < last; ++leaf) {
    if (leaf != packet.source) visit(leaf);
  }
}

/// Injects each packet when its sender has all of the earlier rounds.
class CausalReplay {
 public:
  CausalReplay(const FatTree& tree, std::vector<Packet> packets, Duplex duplex,
               const StepObserver& after_step)
      : network_(tree, duplex), packets_(std::move(packets)), leaves_(tree.leaf_count()) {
    for (std::size_t i = 0; i < packets_.size(); ++i) {
      leaves_[packets_[i].source].to_send.push_back(static_cast<int>(i));
      for_each_receiver(tree, packets_[i],
                        [&](int leaf) { ++leaves_[leaf].expected[packets_[i].step]; });
    }
    network_.observe_steps(after_step);
    network_.observe([this](int node, bool up, int tag) {
      if (!up && node < network_.tree().leaf_count()) delivered(node, packets_[tag].step);
    });
  }

  FatTreeReport run() {
    for (int leaf = 0; leaf < network_.tree().leaf_count(); ++leaf) send_what_may_leave(leaf);
    while (!network_.idle()) {
      network_.step();
      for (const int leaf : std::exchange(ready_, {})) send_what_may_leave(leaf);
    }
    return network_.report();
  }

 private:
  struct Leaf {
    std::vector<int> to_send;  // into packets_, by round
    std::size_t sent = 0;
    std::map<std::int64_t, std::int64_t> expected;  // by round, what has not arrived
  };

  void delivered(int leaf, std::int64_t round) {
    std::map<std::int64_t, std::int64_t>& expected = leaves_[leaf].expected;
    const auto at = expected.find(round);
    if (--at->second > 0) return;
    if (at == expected.begin()) ready_.push_back(leaf);
    expected.erase(at);
  }

  void send_what_may_leave(int number) {
    Leaf& leaf = leaves_[number];
    for (; leaf.sent < leaf.to_send.size(); ++leaf.sent) {
      const int index = leaf.to_send[leaf.sent];
      const Packet& packet = packets_[index];
      if (!leaf.expected.empty() && leaf.expected.begin()->first < packet.step) return;
      network_.inject(packet.source, packet.target, index);
    }
  }

  FatTreeNetwork network_;
  std::vector<Packet> packets_;
  std::vector<Leaf> leaves_;
  std::vector<int> ready_;
};

}  // namespace

PacketSchedule schedule_of(const FatTree& tree, std::vector<TreeMessage> messages, Copies copies) {
  return [packets = packets_by_round(tree, std::move(messages), copies)](const PacketSink& sink) {
    for (const Packet& packet : packets) sink(packet);
  };
}

FatTreeReport replay(const FatTree& tree, std::vector<TreeMessage> messages, Replay replay,
                     Copies copies, Duplex duplex, const StepObserver& after_step) {
  if (replay == Replay::kRoundIsStep) {
    return simulate(tree, schedule_of(tree, std::move(messages), copies), duplex, after_step);
  }
  return CausalReplay(tree, packets_by_round(tree, std::move(messages), copies), duplex, after_step)
      .run();
}

}  // namespace postroom
