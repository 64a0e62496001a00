// What a schedule takes on a fat tree if no packet ever waits; nothing if one would.
//
// A packet that never waits crosses its branches one after another, so from its step alone follows
// when it is where. Counting, for each branch and step, the packets that want to cross, is enough:
// if they are never more than the branch has links, then by induction over the steps nobody waits,
// and the report is that of FatTreeNetwork to the last number. All packets on one level of branches
// on the way up are equally far from their start, so one step after another can be counted there;
// on the way down likewise, as long as packets get there in the order in which they left, as in all
// schedules of [F].
//
// Cost: some nanoseconds for each packet and branch, a third to a fifth of what FatTreeNetwork
// takes, since nothing depends on what was before. Memory: 32 bytes a node. Full duplex, packets to
// leaves.
//
//   report_unhindered(tree, total_exchange_schedule(tree))->steps;
#pragma once

#include <optional>

#include "fat_trees/fat_tree.h"
#include "fat_trees/fat_tree_network.h"
#include "fat_trees/fat_tree_packet.h"

namespace postroom {

/// Nothing also where it cannot tell: packets to inner nodes, packets that are wrong.
std::optional<FatTreeReport> report_unhindered(const FatTree& tree, const PacketSchedule& schedule);

}  // namespace postroom
