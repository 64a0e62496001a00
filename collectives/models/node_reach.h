// How many processors one message can reach where the other processors of a node are nearer than
// those of other nodes; so the least time that any broadcast takes.
//
// The postal model with two latencies: λ_1 inside a node, λ_2 > λ_1 from node to node. With time t
// left, a processor that sends inside only reaches N(t) = N(t-1) + N(t-λ_1), N(t) = 1 for t < λ_1.
// There are as many nodes of k processors as one likes. Then no broadcast, however often it enters
// a node, reaches more than
//
//   B(t) = N(t) if N(t) < k, else k + G(t, k-1)
//   G(t, d) = max of    G(t-1, d) + B(t-λ_2)              a send to another node
//                       G(t-1, d-1-g) + G(t-λ_1, g)       a send inside, 0 <= g < d
//   G(t, 0) = 0 if t < λ_2; below time 0 there is nothing to gain, and d > 0 is not possible
//
// where G(t, d) is what others get from a processor that has to see to d more of its own node.
//
// Proof. A broadcast is a tree. Call what is connected inside a node a piece, and give each piece a
// node of its own: there are enough. While some node Y of fewer than k processors sends to another
// node, to v, let it send to v inside instead, v being one of Y from now on. v knows λ_2 - λ_1
// sooner and sends so much sooner. What it sent inside goes across now and arrives when it did
// before, since it takes λ_2 - λ_1 longer; what it sent across arrives sooner. (Those that were
// below v inside its former node are pieces of their own now.) So nobody knows later, v knows
// sooner, and as times are whole steps this ends. Then each piece has k processors, or it sends
// inside only and has at most N(t). B and G are the recursion for such trees; the first send of a
// processor that is not as early as possible can be made earlier.
//
// The bound holds for boxes with nodes of at most k processors and any number of levels, if λ_1 is
// the least latency inside and λ_2 the least from node to node.
//
// Time is in steps, as in collectives/models/level_tree.h. Cost: O(T k²) for the time T that is
// asked about, once; O(T k) memory. Precondition: 1 <= size, 1 <= send_steps <= near < far.
//
//   NodeReach reach({.size = 8, .near = 2, .far = 5});
//   reach.least_time(32);   // no broadcast to 32 processors in nodes of 8 takes less
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace postroom {

struct NodeLatency {
  int size = 1;  ///< k: processors of a node
  int near = 1;  ///< λ_1 in steps, inside a node
  int far = 2;   ///< λ_2, between nodes
  int send_steps = 1;
};

class NodeReach {
 public:
  /// What a processor does with its next send.
  struct Step {
    bool is_across = false;
    int given = 0;  ///< inside: g, to how many others the receiver has to see
  };

  explicit NodeReach(NodeLatency node) : node_(node) {}

  const NodeLatency& node() const { return node_; }
  /// What B and G are cut to.
  static constexpr std::int32_t kPlenty = (1 << 20) + 1;

  /// B(time); above 2^20 only that it is more. Precondition: time >= 0.
  std::int64_t most(std::int64_t time);
  /// The least time with B(time) >= processors.
  std::int64_t least_time(std::int64_t processors);
  /// N(time). Precondition: most(time) was asked before.
  std::int64_t inside(std::int64_t time) const { return inside_[time]; }
  /// G(time, duties), with none if the duties cannot be done. Below time 0 as above. Precondition:
  /// most(time) was asked before, 0 <= duties < size.
  std::optional<std::int64_t> gain(std::int64_t time, int duties) const;
  /// Everything that a processor can do next to reach G(time, duties), first what goes across;
  /// empty if there is nothing left to do. Precondition: most(time) was asked before.
  std::vector<Step> best_steps(std::int64_t time, int duties) const;

 private:
  void add_time();
  std::int32_t best_gain(std::int64_t time, int duties) const;
  std::int32_t gain_across(std::int64_t time, int duties) const;
  std::int32_t gain_inside(std::int64_t time, int duties, int given) const;

  NodeLatency node_;
  std::vector<std::int32_t> inside_, most_;      // N and B, by time
  std::vector<std::vector<std::int32_t>> gain_;  // G by time, then duties; -1: not possible
};

}  // namespace postroom
