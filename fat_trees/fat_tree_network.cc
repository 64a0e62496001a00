#include "fat_trees/fat_tree_network.h"

#include <algorithm>
#include <limits>
#include <new>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

#include "fat_trees/unhindered_packets.h"

namespace postroom {
namespace {

void check_node(const char* name, int node, int count) {
  if (node >= 0 && node < count) return;
  throw std::invalid_argument(std::string("packet: ") + name + " " + std::to_string(node) +
                              " is not allowed; 0 to " + std::to_string(count - 1));
}

}  // namespace

FatTreeNetwork::FatTreeNetwork(FatTree tree, Duplex duplex)
    : tree_(std::move(tree)),
      duplex_(duplex),
      branches_(tree_.node_count()),
      up_(tree_.levels() + 1),
      down_(tree_.levels() + 1) {
  for (int node = 0; node < tree_.root(); ++node) {
    Branch& branch = branches_[node];
    branch.parent = tree_.parent(node);
    std::tie(branch.first_leaf_above, branch.last_leaf_above) = tree_.leaves(branch.parent);
  }
  for (int level = 1; level <= tree_.levels(); ++level) {
    const auto [first, last] = tree_.nodes(level - 1);
    up_[level].branches.resize(last - first);
    down_[level].branches.resize(last - first);
  }
  if (duplex_ == Duplex::half) went_down_.resize(tree_.node_count());
  report_.largest_queue.resize(tree_.levels());
  report_.load.resize(tree_.node_count());
}

// `level` is that of the branch.
template <bool kUp>
inline void FatTreeNetwork::push(int branch, int level, Cargo cargo) {
  Queue& queue = kUp ? branches_[branch].up : branches_[branch].down;
  if (queue.length++ == 0) {
    queue.first = cargo;
    Occupied& occupied = (kUp ? up_ : down_)[level];
    occupied.branches[occupied.count++] = branch;
    return;
  }
  const std::uint32_t behind = queue.length - 2;
  if (behind == queue.room) grow(queue);
  slots_[queue.begin + ((queue.head + behind) & (queue.room - 1))] = cargo;
}

// Precondition: the queue is not empty.
inline FatTreeNetwork::Cargo FatTreeNetwork::pop(Queue& queue) {
  const Cargo cargo = queue.first;
  if (--queue.length > 0) queue.first = slots_[queue.begin + (queue.head++ & (queue.room - 1))];
  return cargo;
}

// Precondition: the ring is full.
void FatTreeNetwork::grow(Queue& queue) {
  const Queue old = queue;
  const std::size_t room = std::max(std::size_t{1}, 2 * std::size_t{old.room});
  if (slots_.size() + room > std::numeric_limits<std::uint32_t>::max()) throw std::bad_alloc();
  queue.begin = static_cast<std::uint32_t>(slots_.size());
  queue.room = static_cast<std::uint32_t>(room);
  queue.head = 0;
  slots_.resize(slots_.size() + queue.room);
  for (std::uint32_t i = 0; i < old.room; ++i) {
    slots_[queue.begin + i] = slots_[old.begin + ((old.head + i) & (old.room - 1))];
  }
}

void FatTreeNetwork::inject(int source, int target, int tag) {
  check_node("source", source, tree_.leaf_count());
  check_node("target", target, tree_.node_count());
  ++report_.packets;
  if (target == source) return;  // also in a tree of one leaf, where the root is a leaf
  push<true>(source, 1, {target, tag});
  ++under_way_;
}

void FatTreeNetwork::step() {
  ++now_;
  if (observer_) {
    carry_all<true>();
  } else {
    carry_all<false>();
  }
  if (step_observer_) step_observer_(*this);
}

// Branches are visited against the direction of travel, those nearest to the leaves first on the
// way down and those nearest to the root first on the way up. So every queue that a packet enters
// has had its turn, and no packet moves twice in a step.
template <bool kObserved>
void FatTreeNetwork::carry_all() {
  for (int level = 1; level <= tree_.levels(); ++level) carry<false, kObserved>(level);
  for (int level = tree_.levels(); level >= 1; --level) carry<true, kObserved>(level);
}

template <bool kUp, bool kObserved>
void FatTreeNetwork::carry(int level) {
  Occupied& occupied = (kUp ? up_ : down_)[level];
  if (occupied.count == 0) return;
  const int leaves = tree_.leaf_count();
  const int capacity = tree_.capacity(level);
  // By target: the branch down that comes next, from the router that a packet arrives at.
  const bool delivers = !kUp && level == 1;
  const int* const next_down = tree_.ancestors(kUp ? level - 1 : delivers ? 0 : level - 2).data();
  UpDown& queues = report_.largest_queue[level - 1];
  std::int64_t& largest = kUp ? queues.up : queues.down;
  std::size_t still_occupied = 0;
  for (std::size_t i = 0; i < occupied.count; ++i) {
    const int number = occupied.branches[i];
    Branch& branch = branches_[number];
    Queue& queue = kUp ? branch.up : branch.down;
    largest = std::max<std::int64_t>(largest, queue.length);
    const auto links = static_cast<std::uint32_t>(free_links<kUp>(number, capacity));
    const std::uint32_t count = std::min(queue.length, links);
    for (std::uint32_t moved = 0; moved < count; ++moved) {
      const Cargo cargo = pop(queue);
      if constexpr (kObserved) observer_(number, kUp, cargo.tag);
      if (cargo.target >= leaves) {  // to an inner node
        if constexpr (kUp) {
          arrive_from_below(branch.parent, number, level, cargo);
        } else {
          arrive_from_above(number, level - 1, cargo);
        }
      } else if (delivers) {
        deliver();
      } else if (!kUp) {
        push<false>(next_down[cargo.target], level - 1, cargo);
      } else if (branch.first_leaf_above <= cargo.target && cargo.target < branch.last_leaf_above) {
        push<false>(next_down[cargo.target], level, cargo);
      } else {
        push<true>(branch.parent, level + 1, cargo);
      }
    }
    (kUp ? report_.load[number].up : report_.load[number].down) += count;
    if (!kUp && duplex_ == Duplex::half) went_down_[number] = {now_, static_cast<int>(count)};
    if (queue.length > 0) occupied.branches[still_occupied++] = number;
  }
  occupied.count = still_occupied;
}

void FatTreeNetwork::deliver() {
  report_.steps = now_;
  ++report_.deliveries;
  --under_way_;
}

template <bool kUp>
int FatTreeNetwork::free_links(int branch, int capacity) const {
  if (duplex_ == Duplex::full) return capacity;
  if constexpr (kUp) {
    const WentDown& down = went_down_[branch];
    return capacity - (down.step == now_ ? down.packets : 0);
  }
  // What goes up from here has not moved yet in this step, so its queue is as the step found it.
  const bool up_is_first = now_ % 2 == 1;
  const auto waiting = static_cast<int>(branches_[branch].up.length);
  return up_is_first ? std::max(0, capacity - waiting) : capacity;
}

// A packet to an inner node; `level` is that of `node`, here and below.
void FatTreeNetwork::arrive_from_below(int node, int from, int level, Cargo cargo) {
  const auto [first, last] = tree_.leaves(cargo.target);
  const int target_level = tree_.level(cargo.target);
  if (target_level < level && tree_.ancestor(first, level) == node) {
    return push<false>(tree_.ancestor(first, level - 1), level, cargo);
  }
  const int any_leaf = tree_.leaves(node).first;
  // Where the leaves of this node belong to the target, the packet floods up to the target.
  const bool floods = target_level >= level && first <= any_leaf && any_leaf < last;
  if (floods) copy_down(node, from, level, cargo);
  if (node != cargo.target) {
    push<true>(node, level + 1, cargo);
  } else {
    --under_way_;
  }
}

void FatTreeNetwork::arrive_from_above(int node, int level, Cargo cargo) {
  if (level == 0) {
    deliver();
  } else if (level > tree_.level(cargo.target)) {
    push<false>(tree_.ancestor(tree_.leaves(cargo.target).first, level - 1), level, cargo);
  } else {
    copy_down(node, kNone, level, cargo);
    --under_way_;
  }
}

void FatTreeNetwork::copy_down(int node, int except, int level, Cargo cargo) {
  const auto [first, last] = tree_.children(node);
  for (int child = first; child < last; ++child) {
    if (child == except) continue;
    push<false>(child, level, cargo);
    ++under_way_;
  }
}

void FatTreeNetwork::run_until(std::int64_t step) {
  while (now_ < step && !idle()) this->step();
  now_ = std::max(now_, step);
}

FatTreeReport simulate(const FatTree& tree, const PacketSchedule& schedule, Duplex duplex,
                       const StepObserver& after_step) {
  if (duplex == Duplex::full && !after_step) {
    if (auto report = report_unhindered(tree, schedule)) return *std::move(report);
  }
  FatTreeNetwork network(tree, duplex);
  network.observe_steps(after_step);
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
