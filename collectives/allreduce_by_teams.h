// Allreduce on a box of several NUMA nodes, packages or third caches, team by team
// (collectives/parts/teams.h).
//
// Outwards: each team combines its lists at its leader, leaders on a binomial tree; then a
// broadcast from processor 0. So where k subtrees of far processors meet, 2 (k - 1) lists go from
// one to another, and with fewer nobody would know all. Algorithm::teams; when
// automatic stands for it: collectives/choice.h. The parts bear the names of the operations that
// they are in a trace.
//
// Cost: the rounds of the teams, one level after another; a Group and some allocations for each
// team.
// Precondition: self.box() is not null. See collectives/allreduce.h.
#pragma once

#include <cstdint>

#include "collectives/models/cost.h"
#include "collectives/parts/operator.h"
#include "fat_trees/box_tree.h"
#include "runtime/processor.h"

namespace postroom {

void allreduce_by_teams(Processor& self, ConstBytes in, Bytes out, const Operator& op, Where where);

/// In the round model (collectives/parts/teams.h); where the box has no teams, of its one.
Cost allreduce_by_teams_cost(const BoxTree& box, std::int64_t bytes);

}  // namespace postroom
