#include "collectives/algorithms/reduce_scatter_pairwise.h"

#include "collectives/parts/arguments.h"
#include "collectives/parts/partial.h"
#include "collectives/parts/scratch.h"

namespace postroom {

void reduce_scatter_pairwise(Processor& self, ConstBytes in, const Blocks& blocks, Bytes out,
                             const Operator& op, Where where) {
  const int p = self.count();
  const int me = self.id();
  // In the order of the processors: what comes from below, the next one first, goes in front of the
  // own block; what comes from above, the last one first, is put together for itself.
  Partial result(self, blocks.of(in, me), out, op);
  const bool some_above = me + 2 < p;
  Scratch above(self, some_above ? out.size() : 0);
  for (int step = 1; step < p; ++step) {
    const int target = (me + step) % p;
    const int source = (me + p - step) % p;
    const auto take_in = [&](ConstBytes block) {
      if (source < me) return result.prepend(block);
      if (!some_above) return result.append(block);
      source == p - 1 ? copy_bytes(block, above.bytes()) : op.prepend(block, above.bytes());
      if (source == me + 1) result.append(above.bytes());
    };
    Pending sent = self.start_send_bytes(target, blocks.of(in, target), where);
    self.read(source, out.size(), take_in, where);
    sent.wait();
  }
  result.writable();  // one processor alone has not yet copied
}

Cost reduce_scatter_pairwise_cost(const Blocks& blocks) {
  // In every step each block is under way to its processor.
  return (blocks.processors() - 1) * Cost::round(blocks.most_bytes(1));
}

}  // namespace postroom
