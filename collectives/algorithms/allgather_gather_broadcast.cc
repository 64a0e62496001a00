#include "collectives/algorithms/allgather_gather_broadcast.h"

#include "collectives/algorithms/broadcast_binomial.h"
#include "collectives/algorithms/gather_binomial.h"

namespace postroom {

void allgather_gather_broadcast(Processor& self, ConstBytes mine, const Blocks& blocks, Bytes all,
                                Where where) {
  gather_binomial(self, 0, mine, blocks, all, where);
  broadcast_binomial(self, 0, all, where);
}

Cost allgather_gather_broadcast_cost(const Blocks& blocks) {
  return gather_binomial_cost(blocks.processors(), static_cast<std::int64_t>(blocks.bytes(0))) +
         broadcast_binomial_cost(blocks.processors(), static_cast<std::int64_t>(blocks.total()));
}

}  // namespace postroom
