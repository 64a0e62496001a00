// The packet model of a fat tree: what happens to every packet at every step.
//
// Store and forward: in a step each physical link carries one packet in each direction (half
// duplex: one packet), and a packet that arrives at a router in one step can leave it in the next.
// A node uses all its links at once. What cannot leave waits in the queue of its branch, first
// come, first served; queues have no limit, their largest length is counted. A packet to an inner
// node is copied by the routers to all leaves below it.
//
// Under half duplex the links of a branch are shared: at odd steps what goes up takes first, at
// even steps what goes down; the other direction gets what is left.
//
// Source: [F], section 2 (packet-switched, multiport, full duplex; half duplex costs at most a
// factor of two there).
// Cost: a step costs O(1) for each packet that moves, and nothing for links without packets; see
// docs/papers/fat_trees.md for how long. Memory: 8 bytes a packet that waits behind another, at
// most four times that where queues have grown, and some 100 bytes a node. Errors: a source that is
// no leaf, a target that is no node, a step that is past: std::invalid_argument.
//
//   FatTreeNetwork network(FatTree::balanced(4));
//   network.inject(0, 3);
//   while (!network.idle()) network.step();
//   network.report().steps;                                          // 4
//   simulate(FatTree::balanced(4), scatter_schedule(tree, 0)).steps  // 5
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "fat_trees/fat_tree.h"
#include "fat_trees/fat_tree_packet.h"

namespace postroom {

enum class Duplex : std::uint8_t { full, half };

/// One number for each direction.
struct UpDown {
  std::int64_t up = 0;
  std::int64_t down = 0;

  friend bool operator==(const UpDown&, const UpDown&) = default;
};

struct FatTreeReport {
  std::int64_t steps = 0;       ///< the last one in which a packet reached a leaf
  std::int64_t packets = 0;     ///< that were sent
  std::int64_t deliveries = 0;  ///< packets and copies that reached a leaf
  /// By level of the branch, index 0 for level 1: the most packets that were waiting for one branch
  /// when a step began, those included that left in this step. A queue that never exceeds the
  /// capacity delays nobody.
  std::vector<UpDown> largest_queue;
  /// By node: the packets that the branch above it carried; nothing for the root.
  std::vector<UpDown> load;

  friend bool operator==(const FatTreeReport&, const FatTreeReport&) = default;
};

class FatTreeNetwork;
/// Called at the end of each step.
using StepObserver = std::function<void(const FatTreeNetwork&)>;

class FatTreeNetwork {
 public:
  explicit FatTreeNetwork(FatTree tree, Duplex duplex = Duplex::full);

  /// A packet is at its source and may leave in the next step. `tag` is what an observer is told.
  void inject(int source, int target, int tag = 0);
  void step();
  /// Nothing is under way.
  bool idle() const { return under_way_ == 0; }
  /// How many steps were made or skipped.
  std::int64_t now() const { return now_; }
  /// Lets time pass until `now() == step`; steps in which nothing is under way cost nothing.
  void run_until(std::int64_t step);
  void observe_steps(StepObserver observer) { step_observer_ = std::move(observer); }

  /// Called for each packet and branch that it crosses, when it does: node below the branch,
  /// whether it went up, tag. What goes down to a leaf is delivered there. May not change the
  /// network.
  using Observer = std::function<void(int node, bool up, int tag)>;
  void observe(Observer observer) { observer_ = std::move(observer); }

  /// How many packets wait for the branch above `node`.
  UpDown waiting(int node) const {
    const Branch& branch = branches_[static_cast<std::size_t>(node)];
    return {branch.up.length, branch.down.length};
  }
  const FatTreeReport& report() const { return report_; }
  const FatTree& tree() const { return tree_; }

 private:
  static constexpr int kNone = -1;

  struct Cargo {
    std::int32_t target;
    std::int32_t tag;
  };
  /// What waits for a branch in one direction, first come, first served. A packet alone, which is
  /// the rule, lies here; those behind it in a ring of `room` slots, a power of two or 0, from
  /// slots_[begin] on.
  struct Queue {
    Cargo first;
    std::uint32_t length = 0;
    std::uint32_t begin = 0;
    std::uint32_t room = 0;
    std::uint32_t head = 0;  // counts on; its slot is the remainder
  };
  /// All that a packet needs on its way over a branch, in one line of the cache.
  struct alignas(64) Branch {
    Queue up, down;
    std::int32_t parent;                             // the node above
    std::int32_t first_leaf_above, last_leaf_above;  // those below that
  };
  static_assert(sizeof(Branch) == 64);

  /// The branches of a level with a queue, in the order in which they got it.
  struct Occupied {
    std::vector<std::int32_t> branches;
    std::size_t count = 0;
  };
  struct WentDown {
    std::int64_t step = 0;  // the last one in which something went down
    int packets = 0;
  };

  template <bool kUp>
  void push(int branch, int level, Cargo cargo);
  Cargo pop(Queue& queue);
  void grow(Queue& queue);
  template <bool kObserved>
  void carry_all();
  template <bool kUp, bool kObserved>
  void carry(int level);
  template <bool kUp>
  int free_links(int branch, int capacity) const;
  void deliver();
  void arrive_from_below(int node, int from, int level, Cargo cargo);
  void arrive_from_above(int node, int level, Cargo cargo);
  void copy_down(int node, int except, int level, Cargo cargo);

  FatTree tree_;
  Duplex duplex_;
  std::vector<Branch> branches_;     // by the node below
  std::vector<Occupied> up_, down_;  // by level
  std::vector<Cargo> slots_;         // of all queues; what a queue has outgrown stays unused
  std::vector<WentDown> went_down_;  // by branch; kept for half duplex alone
  std::int64_t under_way_ = 0;
  std::int64_t now_ = 0;
  Observer observer_;
  StepObserver step_observer_;
  FatTreeReport report_;
};

/// Runs a whole schedule. Its steps must not fall. Where nobody waits, counting is enough
/// (fat_trees/unhindered_packets.h).
FatTreeReport simulate(const FatTree& tree, const PacketSchedule& schedule,
                       Duplex duplex = Duplex::full, const StepObserver& after_step = {});

}  // namespace postroom
