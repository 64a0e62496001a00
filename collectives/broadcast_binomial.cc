#include "collectives/broadcast_binomial.h"

#include "collectives/binomial_tree.h"
#include "collectives/sends.h"

namespace postroom {

void broadcast_binomial(Processor& self, int root, Bytes data, Where where) {
  const BinomialTree tree(self.count(), root);
  const int me = tree.node(self.id());
  if (me != 0) self.receive_bytes(tree.processor(tree.parent(me)), data, where);

  Sends sends;
  for (int distance = tree.reach(me) / 2; distance >= 1; distance /= 2) {
    if (tree.has_child(me, distance)) {
      sends.add(self.start_send_bytes(tree.processor(me + distance), data, where));
    }
  }
  sends.wait();
}

Cost broadcast_binomial_cost(int processors, std::int64_t bytes) {
  const int rounds = doubling_rounds(processors);
  return {rounds, rounds * bytes};
}

}  // namespace postroom
