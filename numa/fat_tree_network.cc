#include "numa/fat_tree_network.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace postroom {
namespace {

void check_node(const char* name, int node, int count) {
  if (node >= 0 && node < count) return;
  throw std::invalid_argument(std::string("packet: ") + name + " " + std::to_string(node) +
                              " is not allowed; 0 to " + std::to_string(count - 1));
}

}  // namespace

FatTreeNetwork::FatTreeNetwork(FatTree tree, Duplex duplex)
    : tree_(std::move(tree)), duplex_(duplex) {
  for (Direction* direction : {&up_, &down_}) {
    direction->queues.resize(tree_.node_count());
    direction->occupied.resize(tree_.levels() + 1);
  }
  if (duplex_ == Duplex::kHalf) went_down_.resize(tree_.node_count());
  report_.largest_queue.resize(tree_.levels());
  report_.load.resize(tree_.node_count());
}

// `level` is that of the branch.
void FatTreeNetwork::push(Direction& direction, int branch, int level, Cargo cargo) {
  std::int32_t place = unused_;
  if (place == kNone) {
    place = static_cast<std::int32_t>(pool_.size());
    pool_.push_back({cargo, kNone});
  } else {
    unused_ = pool_[place].next;
    pool_[place] = {cargo, kNone};
  }
  Queue& queue = direction.queues[branch];
  if (queue.length++ == 0) {
    queue.head = place;
    direction.occupied[level].push_back(branch);
  } else {
    pool_[queue.tail].next = place;
  }
  queue.tail = place;
}

FatTreeNetwork::Cargo FatTreeNetwork::pop(Queue& queue) {
  const std::int32_t place = queue.head;
  queue.head = pool_[place].next;
  --queue.length;
  pool_[place].next = std::exchange(unused_, place);
  return pool_[place].cargo;
}

void FatTreeNetwork::inject(int source, int target, int tag) {
  check_node("source", source, tree_.leaf_count());
  check_node("target", target, tree_.node_count());
  ++report_.packets;
  if (target == source) return;  // also in a tree of one leaf, where the root is a leaf
  push(up_, source, 1, {target, tag});
  ++under_way_;
}

// Branches are visited against the direction of travel, those nearest to the leaves first on the
// way down and those nearest to the root first on the way up. So every queue that a packet enters
// has had its turn, and no packet moves twice in a step.
void FatTreeNetwork::step() {
  ++now_;
  for (int level = 1; level <= tree_.levels(); ++level) carry<false>(level);
  for (int level = tree_.levels(); level >= 1; --level) carry<true>(level);
}

template <bool kUp>
void FatTreeNetwork::carry(int level) {
  Direction& direction = kUp ? up_ : down_;
  std::vector<std::int32_t>& occupied = direction.occupied[level];
  if (occupied.empty()) return;
  UpDown& queues = report_.largest_queue[level - 1];
  std::int64_t& largest = kUp ? queues.up : queues.down;
  std::size_t still_occupied = 0;
  for (const std::int32_t branch : occupied) {
    Queue& queue = direction.queues[branch];
    largest = std::max<std::int64_t>(largest, queue.length);
    const int count = std::min(queue.length, free_links<kUp>(branch, tree_.capacity(level)));
    for (int i = 0; i < count; ++i) {
      const Cargo cargo = pop(queue);
      if (observer_) observer_(branch, kUp, cargo.tag);
      if constexpr (kUp) {
        arrive_from_below(tree_.parent(branch), branch, level, cargo);
      } else {
        arrive_from_above(branch, level - 1, cargo);
      }
    }
    (kUp ? report_.load[branch].up : report_.load[branch].down) += count;
    if (!kUp && duplex_ == Duplex::kHalf) went_down_[branch] = {now_, count};
    if (queue.length > 0) occupied[still_occupied++] = branch;
  }
  occupied.resize(still_occupied);
}

template <bool kUp>
int FatTreeNetwork::free_links(int branch, int capacity) const {
  if (duplex_ == Duplex::kFull) return capacity;
  if constexpr (kUp) {
    const WentDown& down = went_down_[branch];
    return capacity - (down.step == now_ ? down.packets : 0);
  }
  // What goes up from here has not moved yet in this step, so its queue is as the step found it.
  const bool up_is_first = now_ % 2 == 1;
  return up_is_first ? std::max(0, capacity - up_.queues[branch].length) : capacity;
}

// `level` is that of `node`, here and below.
void FatTreeNetwork::arrive_from_below(int node, int from, int level, Cargo cargo) {
  const auto [first, last] = tree_.leaves(cargo.target);
  const int target_level = tree_.level(cargo.target);
  if (target_level < level && tree_.ancestor(first, level) == node) {
    return push(down_, tree_.ancestor(first, level - 1), level, cargo);
  }
  const int any_leaf = tree_.leaves(node).first;
  // Where the leaves of this node belong to the target, the packet floods up to the target.
  const bool floods = target_level >= level && first <= any_leaf && any_leaf < last;
  if (floods) copy_down(node, from, level, cargo);
  if (node != cargo.target) {
    push(up_, node, level + 1, cargo);
  } else {
    --under_way_;
  }
}

void FatTreeNetwork::arrive_from_above(int node, int level, Cargo cargo) {
  if (level == 0) {
    report_.steps = now_;
    ++report_.deliveries;
    --under_way_;
  } else if (level > tree_.level(cargo.target)) {
    push(down_, tree_.ancestor(tree_.leaves(cargo.target).first, level - 1), level, cargo);
  } else {
    copy_down(node, kNone, level, cargo);
    --under_way_;
  }
}

void FatTreeNetwork::copy_down(int node, int except, int level, Cargo cargo) {
  const auto [first, last] = tree_.children(node);
  for (int child = first; child < last; ++child) {
    if (child == except) continue;
    push(down_, child, level, cargo);
    ++under_way_;
  }
}

void FatTreeNetwork::run_until(std::int64_t step) {
  while (now_ < step && !idle()) this->step();
  now_ = std::max(now_, step);
}

FatTreeReport simulate(const FatTree& tree, const PacketSchedule& schedule, Duplex duplex) {
  FatTreeNetwork network(tree, duplex);
  schedule([&](const Packet& packet) {
    if (packet.step <= network.now()) {
      throw std::invalid_argument("packet: step " + std::to_string(packet.step) +
                                  " is not allowed; at least " + std::to_string(network.now() + 1));
    }
    network.run_until(packet.step - 1);
    network.inject(packet.source, packet.target);
  });
  while (!network.idle()) network.step();
  return network.report();
}

}  // namespace postroom
