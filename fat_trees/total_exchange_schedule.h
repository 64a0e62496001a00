// Total exchange on a fat tree: every leaf has a packet of its own for every other leaf.
//
// In phases, from the root down: in the phase of level h, the subtrees of level h-1 below each node
// of level h send each other all that they have for each other. At each step as many packets leave
// as the branches carry, so that no packet ever waits. Steps on the binary tree with n = 2^L
// leaves, c'_i being the capacities that can be used (below):
//
//   Phases::kApart       Σ ⌈4^(i-1) / c'_i⌉ + L²         formula (1)
//   Phases::kPipelined   Σ ⌈4^(i-1) / c'_i⌉ + 2L - 1     formula (2)
//   CBFT, pipelined      (n² - 1) / 3 + 2L - 1
//   EBFT, pipelined      n + 2L - 2                      formula (3)
//
// The order in which the m leaves of one half serve the m leaves of the other:
//
//   ExchangeOrder::kConstant      one leaf after the other, each from left to right     [F]
//   ExchangeOrder::kExponential   all at once, at step l leaf k to k ⊕ m ⊕ l            [F]
//   ExchangeOrder::kAny           as many at once as the links below carry, see below
//
// Each order works on every tree without queues, because a packet that finds no link free waits at
// home; but formulas (1) and (2) hold for kConstant on the CBFT, for kExponential on the EBFT (and
// the CBFT), for kAny with any capacities.
//
// Source: [F], section 5. Its formulas take c_i where only c'_1 = c_1, c'_i = min(c_i, 2 c'_(i-1))
// can be used, since the branches below are no thicker. kAny is ours. Both halves are put into an
// order that takes turns between their own halves, these between theirs, and so on (bit reversal),
// so that any c' leaves in a row are spread evenly. Packet t goes from leaf t mod m to leaf (t +
// ⌊t/m⌋) mod m of that order, c' packets at each step. Where halves are uneven, with a and b
// leaves, it goes from t mod a to (t + ⌊t / lcm(a, b)⌋) mod b, and the halves take turns in
// proportion; the formulas do not hold then.
//
// Cost: O(levels) for each packet, some 100 ns on 4,096 leaves. Memory: O(leaves · levels).
//
//   const FatTree tree = FatTree::balanced(16).with_capacities({1, 1, 3, 4});
//   simulate(tree, total_exchange_schedule(tree)).steps;   // 36
#pragma once

#include <cstdint>

#include "fat_trees/fat_tree.h"
#include "fat_trees/fat_tree_packet.h"
#include "fat_trees/fat_tree_phases.h"

namespace postroom {

enum class ExchangeOrder : std::uint8_t { kConstant, kExponential, kAny };

PacketSchedule total_exchange_schedule(FatTree tree, ExchangeOrder order = ExchangeOrder::kAny,
                                       Phases phases = Phases::kPipelined);

}  // namespace postroom
