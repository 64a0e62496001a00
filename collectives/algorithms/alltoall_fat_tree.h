// Alltoall as the total exchange of [F]: level by level from the root of a fat tree down, the two
// halves below every node exchange what they have for each other; then each is on its own.
//
// In order of the EBFT, with Algorithm::fat_tree: all processors send at once, in round l of a
// phase processor k to k ⊕ 2^(h-1) ⊕ l. For p no power of two the halves differ by one processor,
// and packet t goes from processor t mod a of one half to processor t mod b of the other. Each
// round delivers at most one block to a processor, and no branch carries more than it has leaves
// below.
//
// In any other order, on any tree, with a FatTreePlan (collectives/parts/fat_tree_plan.h),
// made once outside the run: the rounds are the steps of the schedule, so that even a tree of thin
// branches sees no queues.
//
// Source: [F], section 5. Blocks are sent from and received into their places; nothing is allocated
// but a list of turns. See collectives/alltoall.h.
#pragma once

#include <cstdint>

#include "collectives/models/cost.h"
#include "collectives/models/time_model.h"
#include "collectives/parts/blocks.h"
#include "collectives/parts/fat_tree_plan.h"
#include "runtime/processor.h"

namespace postroom {

/// `blocks` lays out both lists.
void alltoall_fat_tree(Processor& self, ConstBytes send, Bytes receive, const Blocks& blocks,
                       Where where);
/// p - 1 + O(log p) rounds, two of them empty between each two phases.
Cost alltoall_fat_tree_cost(int processors, std::int64_t block_bytes);
/// Exact for powers of two and for up to kMostExactFatTree processors, with O(p²) steps for the
/// others of them; for more, at most 10 % too long.
double alltoall_fat_tree_time(int processors, std::int64_t block_bytes, const TimeModel& model);
inline constexpr int kMostExactFatTree = 256;

/// The same by plan: `send` and `receive` hold count() blocks of equal size and may not overlap.
/// Wrong arguments, and a plan for another number of processors, are std::invalid_argument.
void alltoall_planned(Processor& self, ConstBytes send, Bytes receive, const FatTreePlan& plan,
                      Where where = Where::current());

}  // namespace postroom
