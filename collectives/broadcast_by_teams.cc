#include "collectives/broadcast_by_teams.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "collectives/broadcast.h"
#include "collectives/choice.h"
#include "collectives/side_by_side.h"
#include "collectives/teams.h"
#include "runtime/group.h"

namespace postroom {

void broadcast_by_teams(Processor& self, int root, Bytes data, Where where) {
  for_each_inwards(*self.box(), self.id(), root, [&](Team team) {
    Group group(self, std::move(team.members));
    broadcast_in_team(group, team.leader, data, where);
  });
}

void broadcast_in_team(Processor& team, int root, Bytes data, Where where) {
  const Algorithm algorithm = choice_by_messages(team, static_cast<std::int64_t>(data.size()),
                                                 choose_broadcast, choose_broadcast);
  broadcast_bytes(team, root, data, algorithm, where);
}

Cost broadcast_by_teams_cost(const BoxTree& box, std::int64_t bytes) {
  if (!box.has_order()) return broadcast_cost(box.tree.leaf_count(), bytes);
  Cost cost;
  for (const std::vector<Team>& teams : teams_by_level(box, 0)) {
    SideBySide level;
    for (const Team& team : teams) level.add(broadcast_cost(team.size(), bytes));
    cost += level.cost();
  }
  return cost;
}

}  // namespace postroom
