// Broadcast on a box of several NUMA nodes or packages, team by team (collectives/teams.h).
//
// Inwards: each leader hands the list to its team, those of the outermost team first. Into every
// subtree of far processors that the root is not in goes one message; all others read from what
// came in with it. Algorithm::teams, for which automatic stands on such a box.
//
// Cost: the rounds of the teams, one level after another; a Group and some allocations for each
// team.
// Precondition: self.box() is not null. See collectives/broadcast.h.
#pragma once

#include <cstdint>

#include "collectives/cost.h"
#include "numa/box_tree.h"
#include "runtime/processor.h"

namespace postroom {

void broadcast_by_teams(Processor& self, int root, Bytes data, Where where);

/// With the algorithm for so many processors that are near each other.
void broadcast_in_team(Processor& team, int root, Bytes data, Where where);

/// In the round model (collectives/teams.h); where the box has no order, of its one team.
Cost broadcast_by_teams_cost(const BoxTree& box, std::int64_t bytes);

}  // namespace postroom
