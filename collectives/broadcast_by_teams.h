// Broadcast on a box of several NUMA nodes, packages or third caches, team by team
// (collectives/parts/teams.h).
//
// Inwards: each leader hands the list to its team, those of the outermost team first. Into every
// subtree of far processors that the root is not in goes one message; all others read from what
// came in with it. Algorithm::teams; when automatic stands for it: collectives/choice.h.
//
// Cost: the rounds of the teams, one level after another; a Group and some allocations for each
// team.
// Precondition: self.box() is not null. See collectives/broadcast.h.
#pragma once

#include <cstdint>

#include "collectives/models/cost.h"
#include "collectives/parts/teams.h"
#include "fat_trees/box_tree.h"
#include "runtime/processor.h"

namespace postroom {

void broadcast_by_teams(Processor& self, int root, Bytes data, Where where);

/// With the algorithm for so many processors that are near each other; in a node of several third
/// caches that may be teams again, by caches.
void broadcast_in_team(Processor& team, int root, Bytes data, Where where);

/// In the round model (collectives/parts/teams.h); where the box has no teams, of its one.
Cost broadcast_by_teams_cost(const BoxTree& box, std::int64_t bytes);
Cost broadcast_in_team_cost(const BoxTree& box, const Team& team, std::int64_t bytes);

}  // namespace postroom
