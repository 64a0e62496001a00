// What algorithms share that go through the levels of a fat tree from the root down: when each
// phase begins, and who sends in it.
//
// In the phase of level h, below every node of that level at once, each child sends to its
// siblings: first all to the next one on the right, then to the one after that, and so on,
// cyclically (on a binary tree: the two halves exchange). What one child sends is a stream of
// packets in a fixed order; at each step it sends as many of them as find their links free.
//
// A packet of level h that leaves at step s goes down the branch of level j at step s + 2h - j. So
// packets of the next level that leave three steps after the last one of the phase before are never
// in its way, and two are lost from phase to phase; [F], section 5. Where n is the next level in
// which a node has several children, they are 2 (h - n) + 1 steps.
//
// A Stream is made from (tree, node, child) and offers
//   bool done() const                                    // nothing is left to send
//   bool try_send(std::int64_t step, const PacketSink&)  // false: the next one has no link free
//
//   run_phases<MyStream>(tree, Phases::kPipelined, sink, further arguments of the streams);
#pragma once

#include <cstdint>
#include <vector>

#include "fat_trees/fat_tree.h"
#include "fat_trees/fat_tree_packet.h"

namespace postroom {

/// Whether a phase waits until the one before has delivered its last packet, or follows it as
/// closely as packets do not meet.
enum class Phases : std::uint8_t { kApart, kPipelined };

/// The first step of the phase of level `next` after one of `level`, above it, whose last packet
/// left at `last_step`.
constexpr std::int64_t next_phase(Phases phases, int level, int next, std::int64_t last_step) {
  return last_step + (phases == Phases::kApart ? 2 * level : 2 * (level - next) + 1);
}

/// The child that `child` of `node` serves in its `turn`, counted from 1.
inline int sibling(const FatTree& tree, int node, int child, int turn) {
  const auto [first, last] = tree.children(node);
  return first + (child - first + turn) % (last - first);
}

/// Steps are counted from 1.
template <class Stream, class... Arguments>
void run_phases(const FatTree& tree, Phases phases, const PacketSink& sink,
                Arguments&... arguments) {
  std::int64_t step = 1;
  int last_level = 0;  // none so far
  for (int level = tree.levels(); level >= 1; --level) {
    std::vector<Stream> streams;
    for (int node = tree.nodes(level).first; node < tree.nodes(level).second; ++node) {
      const auto [first, last] = tree.children(node);
      if (last - first == 1) continue;
      for (int child = first; child < last; ++child) {
        streams.emplace_back(tree, node, child, arguments...);
      }
    }
    if (streams.empty()) continue;  // no node of the level has several children
    if (last_level != 0) step = next_phase(phases, last_level, level, step - 1);
    for (; !streams.empty(); ++step) {
      for (Stream& stream : streams) {
        while (!stream.done() && stream.try_send(step, sink)) {
        }
      }
      std::erase_if(streams, [](const Stream& stream) { return stream.done(); });
    }
    last_level = level;
  }
}

}  // namespace postroom
