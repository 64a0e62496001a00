#include "collectives/algorithms/allgather_flooding.h"

#include "collectives/parts/arguments.h"
#include "collectives/parts/round.h"

namespace postroom {

void allgather_flooding(Processor& self, ConstBytes mine, const Blocks& blocks, Bytes all,
                        Where where) {
  copy_bytes(mine, blocks.of(all, self.id()));
  Round round;
  // Each begins with its right neighbour, so that not all begin with the same one, and takes in
  // what comes in the order in which it is sent: in another order messages that come a little late
  // leave an in-port idle between them, too short for the next one.
  const int p = self.count();
  for (int distance = 1; distance < p; ++distance) {
    const int source = (self.id() + p - distance) % p;
    round.send((self.id() + distance) % p, mine);
    round.receive(source, blocks.of(all, source));
  }
  round.run(self, where);
}

Cost allgather_flooding_cost(const Blocks& blocks) {
  if (blocks.processors() == 1) return {};
  return Cost::round(blocks.most_bytes(1));
}

}  // namespace postroom
