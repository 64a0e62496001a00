#include "collectives/allgather_flooding.h"

#include "collectives/arguments.h"
#include "collectives/round.h"

namespace postroom {

void allgather_flooding(Processor& self, ConstBytes mine, const Blocks& blocks, Bytes all,
                        Where where) {
  copy_bytes(mine, blocks.of(all, self.id()));
  Round round;
  // Each begins with its right neighbour, so that not all begin with the same one.
  for (int distance = 1; distance < self.count(); ++distance) {
    const int other = (self.id() + distance) % self.count();
    round.send(other, mine);
    round.receive(other, blocks.of(all, other));
  }
  round.run(self, where);
}

Cost allgather_flooding_cost(const Blocks& blocks) {
  if (blocks.processors() == 1) return {};
  return Cost::round(blocks.most_bytes(1));
}

}  // namespace postroom
