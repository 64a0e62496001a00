#include "collectives/algorithms/gather_linear.h"

#include <cstdint>

#include "collectives/parts/arguments.h"

namespace postroom {

void gather_linear(Processor& self, int root, ConstBytes mine, const Blocks& blocks, Bytes all,
                   Where where) {
  if (self.id() != root) return self.send_bytes(root, mine, where);
  copy_bytes(mine, blocks.of(all, root));
  for (int source = 0; source < self.count(); ++source) {
    if (source != root) self.receive_bytes(source, blocks.of(all, source), where);
  }
}

Cost gather_linear_cost(const Blocks& blocks, int root) {
  return {blocks.processors() - 1, static_cast<std::int64_t>(blocks.total() - blocks.bytes(root))};
}

}  // namespace postroom
