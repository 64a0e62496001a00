#include "collectives/allreduce_by_teams.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "collectives/allreduce.h"
#include "collectives/broadcast_by_teams.h"
#include "collectives/choice.h"
#include "collectives/models/side_by_side.h"
#include "collectives/parts/teams.h"
#include "collectives/reduce.h"
#include "runtime/group.h"

namespace postroom {
namespace {

constexpr int kRoot = 0;

}  // namespace

void allreduce_by_teams(Processor& self, ConstBytes in, Bytes out, const Operator& op,
                        Where where) {
  const auto bytes = static_cast<std::int64_t>(in.size());
  ConstBytes combined = in;
  for_each_outwards(*self.box(), self.id(), kRoot, [&](Team team) {
    Group group(self, std::move(team.members));
    const Algorithm algorithm = team.is_inner
                                    ? choice_by_messages(group, bytes, choose_reduce, choose_reduce)
                                    : Algorithm::binomial;
    reduce_bytes(group, team.leader, combined, out, op, algorithm, where);
    combined = out;
  });
  broadcast_by_teams(self, kRoot, out, where);
}

Cost allreduce_by_teams_cost(const BoxTree& box, std::int64_t bytes) {
  if (!box.has_teams()) return allreduce_cost(box.tree.leaf_count(), bytes);
  Cost cost;
  for (const std::vector<Team>& teams : teams_by_level(box, kRoot)) {
    SideBySide level;
    for (const Team& team : teams) {
      const Algorithm algorithm = team.is_inner ? Algorithm::automatic : Algorithm::binomial;
      level.add(reduce_cost(team.size(), bytes, algorithm));
    }
    cost += level.cost();
  }
  return cost + broadcast_by_teams_cost(box, bytes);
}

}  // namespace postroom
