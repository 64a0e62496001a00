// What a broadcast in several blocks takes in the postal model, exactly.
//
//   time_of(BlockPlan::pack(3, 8, 64), 8, 3);   // in units of what a sender needs for a block
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "collectives/algorithms/broadcast_blocks.h"
#include "runtime/rational.h"

namespace postroom {

/// When the last processor has the last of `blocks` blocks, for the latency of a block.
inline Rational time_of(const BlockPlan& plan, int blocks, Rational latency) {
  const auto messages = static_cast<std::size_t>(plan.messages());
  // A message of several blocks occupies ports for as many units and arrives that much later.
  const Rational length = blocks / plan.messages();
  const Rational arrival = latency - 1 + length;
  // When each message is there; nodes have smaller numbers than their children.
  std::vector<std::vector<Rational>> there(static_cast<std::size_t>(plan.tree().processors()));
  there[0].assign(messages, 0);
  Rational last = 0;
  for (std::size_t node = 0; node < there.size(); ++node) {
    const std::vector<int> children = plan.tree().node(static_cast<int>(node)).children;
    const std::vector<Rational> mine = std::exchange(there[node], {});
    Rational port_free = 0;
    for (std::size_t i = 0; i < children.size() * messages; ++i) {
      const std::size_t child = plan.child_by_child() ? i / messages : i % children.size();
      const std::size_t message = plan.child_by_child() ? i % messages : i / children.size();
      const Rational start = std::max(port_free, mine[message]);
      port_free = start + length;
      there[static_cast<std::size_t>(children[child])].push_back(start + arrival);
      last = std::max(last, start + arrival);
    }
  }
  return last;
}

}  // namespace postroom
