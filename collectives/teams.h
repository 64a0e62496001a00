// Who passes on what crosses from one NUMA node or package to another: leaders, level by level.
//
// A team is a few processors that take part in one step of a collective on a box of several nodes.
// The inner team of a processor is all that are near it. Above it, the team of a node of the box's
// tree is the leaders of the subtrees below that node; the leader of a subtree is the root, if the
// root is inside, else its first processor. So one processor alone speaks for a subtree with those
// outside: what goes to all of a subtree crosses its border once.
//
// A processor belongs to its inner team and, as a leader, to teams further up. for_each_inwards
// visits those from the outermost to the inner one (as a broadcast goes), for_each_outwards the
// other way round (as a reduction goes). Members and parts of every team are in rising order, so
// combining team by team keeps the order of the processors. Teams of one are left out.
//
// By name, where Processor::box() is null: one inner team, by the collective itself.
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

#include "numa/box_tree.h"

namespace postroom {

struct Team {
  std::vector<int> members;
  int leader = 0;           ///< the rank in the team of who speaks for all of them further up
  std::vector<int> begins;  ///< member i stands for processors begins[i] … begins[i + 1] - 1
  bool is_inner = true;     ///< all are near each other
};

void for_each_inwards(const BoxTree& box, int processor, int root,
                      const std::function<void(Team)>& visit);
void for_each_outwards(const BoxTree& box, int processor, int root,
                       const std::function<void(Team)>& visit);

}  // namespace postroom
