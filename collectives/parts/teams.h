// Who passes on what crosses from one NUMA node or package to another, or on a node of several
// third caches from one of these to another: leaders, level by level.
//
// A team is a few processors that take part in one step of a collective on a box of several nodes.
// The inner team of a processor is all that are near it; in one node of several third caches, all
// that share one with it. Above it, the team of a node of the box's tree is the leaders of the
// subtrees below that node; the leader of a subtree is the root, if the root is inside, else its
// first processor. So one processor alone speaks for a subtree with those outside: what goes to all
// of a subtree crosses its border once.
//
// A processor belongs to its inner team and, as a leader, to teams further up. for_each_inwards
// visits those from the outermost to the inner one (as a broadcast goes), for_each_outwards the
// other way round (as a reduction goes). Members and parts of every team are in rising order, so
// combining team by team keeps the order of the processors. Teams of one are left out.
//
// By name, where Processor::box() is null: one inner team, by the collective itself.
//
// What it costs in the round model is that of the levels one after another, as if all teams of a
// level began together (collectives/models/side_by_side.h). On a box whose subtrees differ in size,
// or where a team has more to do than another of its level, some begin earlier in a run: then a
// trace may count fewer rounds. ..._by_teams_cost(box, bytes) of each operation says it for teams
// that choose by size, which they do as long as no profile of the box was saved.
//
// Cost: O(members) time and memory for each team that is visited.
//
//   for_each_inwards(*self.box(), self.id(), root, [&](Team team) {
//     const int leader = team.leader;
//     Group group(self, std::move(team.members));
//     …
//   });
#pragma once

#include <functional>
#include <vector>

#include "fat_trees/box_tree.h"

namespace postroom {

struct Team {
  std::vector<int> members;
  int leader = 0;           ///< the rank in the team of who speaks for all of them further up
  std::vector<int> begins;  ///< member i stands for processors begins[i] … begins[i + 1] - 1
  bool is_inner = true;     ///< all are near each other, or share a third cache

  int size() const { return static_cast<int>(members.size()); }
};

void for_each_inwards(const BoxTree& box, int processor, int root,
                      const std::function<void(Team)>& visit);
void for_each_outwards(const BoxTree& box, int processor, int root,
                       const std::function<void(Team)>& visit);

/// All teams, those of a level together, from the outermost level to the inner teams.
std::vector<std::vector<Team>> teams_by_level(const BoxTree& box, int root);

}  // namespace postroom
