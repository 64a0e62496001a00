// Broadcast on a box of several NUMA nodes or packages, team by team (collectives/teams.h).
//
// Inwards: each leader hands the list to its team, those of the outermost team first. Into every
// subtree of far processors that the root is not in goes one message; all others read from what
// came in with it. Algorithm::teams, for which automatic stands on such a box.
//
// Cost: the rounds of the teams, one after another; a Group and some allocations for each.
// Precondition: self.box() is not null. See collectives/broadcast.h.
#pragma once

#include "runtime/processor.h"

namespace postroom {

void broadcast_by_teams(Processor& self, int root, Bytes data, Where where);

/// With the algorithm for so many processors that are near each other.
void broadcast_in_team(Processor& team, int root, Bytes data, Where where);

}  // namespace postroom
