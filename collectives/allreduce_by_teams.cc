#include "collectives/allreduce_by_teams.h"

#include <cstdint>
#include <utility>

#include "collectives/broadcast_by_teams.h"
#include "collectives/choice.h"
#include "collectives/reduce.h"
#include "collectives/teams.h"
#include "runtime/group.h"

namespace postroom {

void allreduce_by_teams(Processor& self, ConstBytes in, Bytes out, const Operator& op,
                        Where where) {
  constexpr int kRoot = 0;
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

}  // namespace postroom
