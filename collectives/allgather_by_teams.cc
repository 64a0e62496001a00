#include "collectives/allgather_by_teams.h"

#include <cstddef>
#include <utility>
#include <vector>

#include "collectives/allgather.h"
#include "collectives/allgatherv.h"
#include "collectives/broadcast.h"
#include "collectives/broadcast_by_teams.h"
#include "collectives/models/side_by_side.h"
#include "collectives/parts/teams.h"
#include "runtime/group.h"

namespace postroom {
namespace {

constexpr int kRoot = 0;

/// What the members have, all blocks of those that each stands for.
std::vector<std::size_t> sizes_in(const Team& team, const Blocks& blocks) {
  std::vector<std::size_t> sizes;
  for (std::size_t i = 0; i < team.members.size(); ++i) {
    sizes.push_back(blocks.begin(team.begins[i + 1]) - blocks.begin(team.begins[i]));
  }
  return sizes;
}

/// Other algorithms hand on what they got, across the borders too.
Algorithm algorithm_in(const Team& team) {
  return team.is_inner ? Algorithm::automatic : Algorithm::shared;
}

}  // namespace

void allgather_by_teams(Processor& self, ConstBytes mine, const Blocks& blocks, Bytes all,
                        Where where) {
  const auto part = [&](int first, int last) { return blocks.of(all, first, last - first); };
  ConstBytes known = mine;
  for_each_outwards(*self.box(), self.id(), kRoot, [&](Team team) {
    const std::vector<std::size_t> sizes = sizes_in(team, blocks);
    const Bytes of_team = part(team.begins.front(), team.begins.back());
    const Algorithm algorithm = algorithm_in(team);
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

Cost allgather_by_teams_cost(const BoxTree& box, std::int64_t block_bytes) {
  const int processors = box.tree.leaf_count();
  if (!box.has_teams()) return allgather_cost(processors, block_bytes);
  const Blocks blocks(processors, static_cast<std::size_t>(block_bytes));
  Cost cost;
  for (const std::vector<Team>& teams : teams_by_level(box, kRoot)) {
    SideBySide outwards;
    SideBySide inwards;
    for (const Team& team : teams) {
      outwards.add(allgatherv_cost(sizes_in(team, blocks), 1, algorithm_in(team)));
      std::vector<Cost> steps;
      for (const std::size_t outside :
           {blocks.begin(team.begins.front()), blocks.total() - blocks.begin(team.begins.back())}) {
        if (outside == 0) continue;
        steps.push_back(broadcast_in_team_cost(box, team, static_cast<std::int64_t>(outside)));
      }
      inwards.add(steps);
    }
    cost += outwards.cost() + inwards.cost();
  }
  return cost;
}

}  // namespace postroom
