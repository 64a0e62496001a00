// When each packet of a collective operation leaves, on a fat tree: the algorithms of [F], and the
// reverse of scatter.
//
// n leaves, L levels, full duplex; steps on the binary tree for n = 2^L >= 4, with any capacities:
//
//   broadcast_schedule              2L           routers replicate
//   scatter_schedule                n + 1        farthest first: whoever is farther is served first
//   gather_schedule                 n + 1        scatter run backwards
//   multinode_flooding_schedule     n + 1        all leaves broadcast at once; queues grow
//   multinode_queueless_schedule    n + 2L - 2   phases, one leaf of each half at a time; no queues
//   consecutive_scatters_schedule   n (n + 1)    total exchange, the baseline; no queues
//
// Total exchange proper is in fat_trees/total_exchange_schedule.h. Every schedule works on every
// tree: any number of leaves, any arity, uneven subtrees.
//
// Source: [F], sections 2.1, 3, 4, 5; Theorems 1 and 2. The multinode broadcast without queues is
// only cited there; this one goes through the levels from the root down, as total exchange does: in
// the phase of level h the leaves of each subtree of level h-1, c_1 of them at each step, send one
// packet each to the sibling subtree, where routers replicate it. Phases overlap as in [F],
// section 5: the next one starts 2h - 3 steps before this one ends.
// Cost: O(1) for each packet, O(leaves) memory for scatter and gather. Packets come in the order of
// their steps, those of a step in no order that anyone should rely on. A schedule holds a copy of
// the tree.
// Errors: a root that is no leaf: std::invalid_argument.
//
//   const FatTree tree = FatTree::balanced(16);
//   simulate(tree, scatter_schedule(tree, 0)).steps;   // 17
#pragma once

#include <vector>

#include "fat_trees/fat_tree.h"
#include "fat_trees/fat_tree_packet.h"
#include "fat_trees/fat_tree_phases.h"

namespace postroom {

/// All leaves but `root` in the order in which it serves them; equally far ones from left to right.
std::vector<int> farthest_first(const FatTree& tree, int root);

PacketSchedule broadcast_schedule(FatTree tree, int root);
PacketSchedule scatter_schedule(FatTree tree, int root);
PacketSchedule gather_schedule(FatTree tree, int root);
PacketSchedule multinode_flooding_schedule(FatTree tree);
PacketSchedule multinode_queueless_schedule(FatTree tree, Phases phases = Phases::kPipelined);
/// One scatter after the other, from leaf 0 on.
PacketSchedule consecutive_scatters_schedule(FatTree tree);

}  // namespace postroom
