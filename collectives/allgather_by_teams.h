// Allgather on a box of several NUMA nodes, packages or third caches, team by team
// (collectives/parts/teams.h).
//
// Outwards: the members of each team tell each other what they have, so that every subtree is
// finished inside before its leader speaks with others. Then inwards: each leader hands its team
// what is outside of it. Every block enters every other subtree of far processors once.
// Algorithm::teams; when automatic stands for it: collectives/choice.h. The parts bear the names of
// the operations that they are in a trace.
//
// Cost: the rounds of the teams, one level after another; a Group and some allocations for each
// team.
// Precondition: self.box() is not null. See collectives/allgather.h.
#pragma once

#include <cstdint>

#include "collectives/models/cost.h"
#include "collectives/parts/blocks.h"
#include "fat_trees/box_tree.h"
#include "runtime/processor.h"

namespace postroom {

void allgather_by_teams(Processor& self, ConstBytes mine, const Blocks& blocks, Bytes all,
                        Where where);

/// In the round model (collectives/parts/teams.h); where the box has no teams, of its one.
Cost allgather_by_teams_cost(const BoxTree& box, std::int64_t block_bytes);

}  // namespace postroom
