#include "collectives/algorithms/allreduce_lambda_tree.h"

#include "collectives/algorithms/broadcast_lambda_tree.h"
#include "collectives/algorithms/reduce_lambda_tree.h"
#include "collectives/models/postal_tree.h"

namespace postroom {

void allreduce_lambda_tree(Processor& self, ConstBytes in, Bytes out, const Operator& op,
                           Rational latency, Where where) {
  const SplitRule rule = SplitRule::bottom_up(latency, self.count());
  reduce_lambda_tree(self, 0, in, out, op, rule, where);
  broadcast_lambda_tree(self, 0, out, PostalTree(rule, self.count()), where);
}

Cost allreduce_lambda_tree_cost(int processors, std::int64_t bytes, Rational latency) {
  const SplitRule rule = SplitRule::bottom_up(latency, processors);
  return reduce_lambda_tree_cost(rule, processors, bytes) +
         broadcast_lambda_tree_cost(PostalTree(rule, processors), bytes);
}

}  // namespace postroom
