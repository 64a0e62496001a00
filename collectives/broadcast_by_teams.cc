#include "collectives/broadcast_by_teams.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "collectives/broadcast.h"
#include "collectives/choice.h"
#include "collectives/models/side_by_side.h"
#include "collectives/parts/teams.h"
#include "runtime/group.h"

namespace postroom {

void broadcast_by_teams(Processor& self, int root, Bytes data, Where where) {
  for_each_inwards(*self.box(), self.id(), root, [&](Team team) {
    Group group(self, std::move(team.members));
    broadcast_in_team(group, team.leader, data, where);
  });
}

void broadcast_in_team(Processor& team, int root, Bytes data, Where where) {
  const auto bytes = static_cast<std::int64_t>(data.size());
  const Algorithm algorithm =
      choice_in_node(choice_by_messages(team, bytes, choose_broadcast, choose_broadcast),
                     Algorithm::linear, team, bytes);
  broadcast_bytes(team, root, data, algorithm, where);
}

Cost broadcast_in_team_cost(const BoxTree& box, const Team& team, std::int64_t bytes) {
  if (choose_broadcast(team.size(), bytes) == Algorithm::linear) {
    const std::optional<BoxTree> part = part_of(box, team.members);
    if (part && goes_by_caches(&*part, bytes)) return broadcast_by_teams_cost(*part, bytes);
  }
  return broadcast_cost(team.size(), bytes);
}

Cost broadcast_by_teams_cost(const BoxTree& box, std::int64_t bytes) {
  if (!box.has_teams()) return broadcast_cost(box.tree.leaf_count(), bytes);
  Cost cost;
  for (const std::vector<Team>& teams : teams_by_level(box, 0)) {
    SideBySide level;
    for (const Team& team : teams) level.add(broadcast_in_team_cost(box, team, bytes));
    cost += level.cost();
  }
  return cost;
}

}  // namespace postroom
