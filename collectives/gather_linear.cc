#include "collectives/gather_linear.h"

#include "collectives/arguments.h"

namespace postroom {

void gather_linear(Processor& self, int root, ConstBytes mine, const Blocks& blocks, Bytes all,
                   Where where) {
  if (self.id() != root) return self.send_bytes(root, mine, where);
  copy_bytes(mine, blocks.of(all, root));
  for (int source = 0; source < self.count(); ++source) {
    if (source != root) self.receive_bytes(source, blocks.of(all, source), where);
  }
}

Cost gather_linear_cost(int processors, std::int64_t block_bytes) {
  return (processors - 1) * Cost::round(block_bytes);
}

}  // namespace postroom
