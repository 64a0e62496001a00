// What a run would have cost on a fat tree: the messages of a trace as packets.
//
// A trace says who sent to whom in which round. How rounds become steps is a choice:
//
//   Replay::kRoundIsStep   a message of round r leaves at step r. For programs that keep step with
//                          each other, as those of the fat-tree algorithms do: the packets are then
//                          exactly those of the algorithm's schedule.
//   Replay::kCausal        a message leaves as soon as its sender has all that was sent to it in
//                          earlier rounds, and its messages of earlier rounds have left. For any
//                          program; what the program did not wait for counts as waited for.
//
// The routers of [F] make copies, processors do not: what one processor sends to several in one
// round is one packet if its targets are all leaves of a subtree (the sender aside). So a program
// may send the same to all of a subtree, and the model sees one packet; use `Copies::kNone` for
// programs whose messages differ.
//
// Cost: O(m log m) for m messages, and the packet model. Memory: 40 bytes a message.
// Errors: a round below 1, a source or target that is no leaf, less than one packet:
// std::invalid_argument.
//
//   std::vector<TreeMessage> messages;
//   for (const Trace::Message& m : machine.trace().messages()) {
//     messages.push_back({m.source, m.target, m.round});
//   }
//   replay(FatTree::balanced(8), messages, Replay::kCausal).steps;
#pragma once

#include <cstdint>
#include <vector>

#include "fat_trees/fat_tree.h"
#include "fat_trees/fat_tree_network.h"
#include "fat_trees/fat_tree_packet.h"

namespace postroom {

struct TreeMessage {
  int source = 0;
  int target = 0;
  std::int64_t round = 1;    ///< from 1
  std::int64_t packets = 1;  ///< how many it is cut into
};

enum class Replay : std::uint8_t { kRoundIsStep, kCausal };
enum class Copies : std::uint8_t { kNone, kByRouters };

/// The packets of the messages, one for each subtree with kByRouters, by round; step is the round.
PacketSchedule schedule_of(const FatTree& tree, std::vector<TreeMessage> messages, Copies copies);

FatTreeReport replay(const FatTree& tree, std::vector<TreeMessage> messages, Replay replay,
                     Copies copies = Copies::kNone, Duplex duplex = Duplex::full,
                     const StepObserver& after_step = {});

}  // namespace postroom
