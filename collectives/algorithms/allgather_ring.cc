#include "collectives/algorithms/allgather_ring.h"

#include "collectives/parts/arguments.h"

namespace postroom {

void allgather_ring(Processor& self, ConstBytes mine, const Blocks& blocks, Bytes all,
                    Where where) {
  const int n = self.count();
  const int right = (self.id() + 1) % n;
  const int left = (self.id() + n - 1) % n;
  copy_bytes(mine, blocks.of(all, self.id()));
  for (int step = 0; step < n - 1; ++step) {
    const int outgoing = (self.id() + n - step) % n;
    const int incoming = (left + n - step) % n;
    self.exchange(right, blocks.of(all, outgoing), left, blocks.of(all, incoming), where);
  }
}

Cost allgather_ring_cost(const Blocks& blocks) {
  // All blocks are under way in each of the rounds.
  return (blocks.processors() - 1) * Cost::round(blocks.most_bytes(1));
}

}  // namespace postroom
