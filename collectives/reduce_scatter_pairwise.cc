#include "collectives/reduce_scatter_pairwise.h"

#include "collectives/arguments.h"
#include "collectives/scratch.h"

namespace postroom {

void reduce_scatter_pairwise(Processor& self, ConstBytes in, const Blocks& blocks, Bytes out,
                             const Operator& op, Where where) {
  const int p = self.count();
  const int me = self.id();
  const Blocks parts(p, out.size());
  Scratch received(parts.total());
  for (int step = 1; step < p; ++step) {
    const int target = (me + step) % p;
    const int source = (me + p - step) % p;
    self.exchange(target, blocks.of(in, target), source, parts.of(received.bytes(), source), where);
  }
  const auto part = [&](int source) {
    return source == me ? blocks.of(in, me) : ConstBytes(parts.of(received.bytes(), source));
  };
  copy_bytes(part(0), out);
  for (int source = 1; source < p; ++source) op.append(out, part(source));
}

Cost reduce_scatter_pairwise_cost(const Blocks& blocks) {
  // In every step each block is under way to its processor.
  const int rounds = blocks.processors() - 1;
  return {rounds, rounds * static_cast<std::int64_t>(blocks.most_bytes(1))};
}

}  // namespace postroom
