// The best broadcast tree where latency depends on the level at which two processors meet.
//
// The postal model with a λ for each level: a processor is busy for one unit with each message it
// sends, and the message arrives λ_h after its send began if sender and receiver meet at level h of
// the box (the same core, NUMA node, package, machine). The box is even: every node of level h has
// k_h children, so there are k_1 · k_2 · … processors, numbered in leaf order.
//
// Every subtree is entered by one message only, and is then served from inside: no branch carries
// more than it has to, which is what makes the tree free of congestion ([P], section 2.6).
//
// What is proved: among the broadcasts that enter every subtree once, this one takes the least
// time, for any number of levels and any λ_h. For, what a processor has to do is described by how
// many subtrees are left for it and its children to enter at each level; with time t left it sends
// to a level or it is done, and whoever it sends to takes part of what is left over:
//
//   G(t; j_1 … j_(L-1)) = most subtrees of the last level but one that can be entered in time t
//   from
//                         a processor that is responsible for j_h - 1 others at each level h < L
//
// (a dynamic program, solved exactly; sending later than possible or to somebody who has it never
// helps). With a single level it is the λ-tree of [P] and takes T_λ(k), the least of all
// broadcasts. Nothing more is proved: with several levels, broadcasts that enter a subtree again,
// while the first message is passed on inside, can be faster by a few units, whatever the latencies
// (two nodes of two, λ = 2 and 5: 6 units, not 7). They cross the thin branches more than once and
// are not considered.
//
// Time is counted in steps; a send keeps its sender busy for `send_steps` of them, so that a
// rational λ = u/f is λ = u with send_steps = f.
//
// Cost: O(T (k_1 … k_(L-1))²) for the optimal time T in steps, once; O(processors) memory for the
// tree. Some milliseconds for 2 · 8 · 4 processors. Errors: fewer than one child, a latency below
// send_steps or below that of the level before, more than 2^20 processors, or more than 4,096
// subtrees to keep count of: std::invalid_argument.
//
//   const LevelTree tree({.children = {8, 4}, .latency = {2, 5}});   // 4 nodes of 8 cores
//   tree.steps();         // when the last processor has it
//   tree.sends(0);        // whom processor 0 sends to, in this order
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace postroom {

struct LevelLatency {
  std::vector<int> children;  ///< k_1, k_2, …: of a node of level 1, 2, …
  std::vector<int> latency;   ///< λ_1, λ_2, … in steps; never falling
  int send_steps = 1;
};

class LevelTree {
 public:
  explicit LevelTree(LevelLatency box);

  int processors() const { return static_cast<int>(sends_.size()); }
  /// When the last processor has the message.
  std::int64_t steps() const { return steps_; }
  /// The children of `processor` in the order in which it sends to them, when the root is processor
  /// 0.
  std::span<const int> sends(int processor) const { return sends_[processor]; }
  /// Who sends to `processor`; -1 for processor 0.
  int parent(int processor) const { return parents_[processor]; }

  /// The part that `processor` plays in the tree when `root` is the root: the tree is turned at
  /// every level, so that subtrees stay subtrees. The inverse of processor_of.
  int place_of(int processor, int root) const { return turn(processor, root, -1); }
  int processor_of(int place, int root) const { return turn(place, root, +1); }

 private:
  int turn(int number, int root, int sign) const;

  std::vector<int> children_;
  std::int64_t steps_ = 0;
  std::vector<std::vector<int>> sends_;
  std::vector<int> parents_;
};

}  // namespace postroom
