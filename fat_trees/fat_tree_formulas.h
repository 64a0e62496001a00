// How many steps the algorithms of [F] take on a binary fat tree, as formulas.
//
// For n = 2^L leaves, full duplex, one packet for each message. What the packet model counts for
// the schedules of fat_trees/fat_tree_schedules.h and fat_trees/total_exchange_schedule.h is
// exactly this:
//
//   broadcast             2L
//   scatter, gather       n + 1             Theorem 1
//   multinode broadcast   n + 1             Theorem 2, by flooding
//                         n + 2L - 2        without queues
//   total exchange        (1), (2); (3) on the EBFT
//   n scatters            n (n + 1)
//
// n + 1 needs at least four leaves; two take 2 steps and one takes none, and the functions say so.
// All but total exchange are for one link at each leaf, c_1 = 1.
//
// Cost: O(L). Errors: leaves that are no power of two, capacities that are not L in number:
// std::invalid_argument.
//
//   total_exchange_steps(16, {1, 1, 3, 4}, Phases::kPipelined);   // 36
#pragma once

#include <cstdint>
#include <vector>

#include "fat_trees/fat_tree_phases.h"

namespace postroom {

/// c'_1 = c_1, c'_i = min(c_i, 2 c'_(i-1)): what can be used of each branch.
std::vector<int> effective_capacities(std::vector<int> capacities);

std::int64_t broadcast_steps(int leaves);
/// Also of gather and of multinode broadcast by flooding.
std::int64_t scatter_steps(int leaves);
std::int64_t multinode_queueless_steps(int leaves);
std::int64_t consecutive_scatters_steps(int leaves);
/// Formulas (1) and (2), with effective capacities.
std::int64_t total_exchange_steps(int leaves, const std::vector<int>& capacities, Phases phases);

}  // namespace postroom
