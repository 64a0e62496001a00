#include "collectives/algorithms/allreduce_reduce_broadcast.h"

#include "collectives/algorithms/broadcast_binomial.h"
#include "collectives/algorithms/reduce_binomial.h"

namespace postroom {

void allreduce_reduce_broadcast(Processor& self, ConstBytes in, Bytes out, const Operator& op,
                                Where where) {
  reduce_binomial(self, 0, in, out, op, where);
  broadcast_binomial(self, 0, out, where);
}

Cost allreduce_reduce_broadcast_cost(int processors, std::int64_t bytes) {
  return reduce_binomial_cost(processors, bytes) + broadcast_binomial_cost(processors, bytes);
}

}  // namespace postroom
