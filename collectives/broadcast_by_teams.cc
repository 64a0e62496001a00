#include "collectives/broadcast_by_teams.h"

#include <cstdint>
#include <utility>

#include "collectives/broadcast.h"
#include "collectives/choice.h"
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

}  // namespace postroom
