#include "collectives/allgather_by_teams.h"

#include <cstddef>
#include <utility>
#include <vector>

#include "collectives/allgatherv.h"
#include "collectives/broadcast_by_teams.h"
#include "collectives/teams.h"
#include "runtime/group.h"

namespace postroom {

void allgather_by_teams(Processor& self, ConstBytes mine, const Blocks& blocks, Bytes all,
                        Where where) {
  constexpr int kRoot = 0;
  const auto part = [&](int first, int last) { return blocks.of(all, first, last - first); };
  ConstBytes known = mine;
  for_each_outwards(*self.box(), self.id(), kRoot, [&](Team team) {
    std::vector<std::size_t> sizes;
    for (std::size_t i = 0; i < team.members.size(); ++i) {
      sizes.push_back(part(team.begins[i], team.begins[i + 1]).size());
    }
    const Bytes of_team = part(team.begins.front(), team.begins.back());
    // Other algorithms hand on what they got, across the borders too.
    const Algorithm algorithm = team.is_inner ? Algorithm::automatic : Algorithm::shared;
    Group group(self, std::move(team.members));
    allgatherv_bytes(group, known, of_team, sizes, 1, algorithm, where);
    known = of_team;
  });
  for_each_inwards(*self.box(), self.id(), kRoot, [&](Team team) {
    Group group(self, std::move(team.members));
    for (const Bytes outside :
         {part(0, team.begins.front()), part(team.begins.back(), self.count())}) {
      if (!outside.empty()) broadcast_in_team(group, team.leader, outside, where);
    }
  });
}

}  // namespace postroom
