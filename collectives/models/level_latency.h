// A box whose levels differ in latency, as the broadcast trees for it take it.
//
// The postal model with a λ for each level: a processor is busy for one unit with each message it
// sends, and the message arrives λ_h after its send began if sender and receiver meet at level h of
// the box (the same core, NUMA node, package, machine). The box is even: every node of level h has
// k_h children, so there are k_1 · k_2 · … processors, numbered in leaf order.
//
// Time is counted in steps; a send keeps its sender busy for `send_steps` of them, so that a
// rational λ = u/f is λ = u with send_steps = f.
#pragma once

#include <cstdint>
#include <vector>

namespace postroom {

struct LevelLatency {
  std::vector<int> children;  ///< k_1, k_2, …: of a node of level 1, 2, …
  std::vector<int> latency;   ///< λ_1, λ_2, … in steps; never falling
  int send_steps = 1;

  int processors() const;
  /// Throws std::invalid_argument for fewer than one child, a latency below send_steps or below
  /// that of the level before, and more than 2^20 processors.
  void check() const;
  /// The same box with levels of equal latency made one: what was a subtree of such a level has no
  /// meaning for the time.
  LevelLatency merged() const;
};

}  // namespace postroom
