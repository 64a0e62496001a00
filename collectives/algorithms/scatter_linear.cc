#include "collectives/algorithms/scatter_linear.h"

#include <cstdint>

#include "collectives/parts/arguments.h"
#include "collectives/parts/sends.h"

namespace postroom {

void scatter_linear(Processor& self, int root, const Blocks& blocks, ConstBytes all, Bytes mine,
                    Where where) {
  if (self.id() != root) return self.receive_bytes(root, mine, where);
  Sends sends;
  for (int target = 0; target < self.count(); ++target) {
    if (target != root) {
      sends.add(self.start_send_bytes(target, blocks.of(all, target), where));
    }
  }
  copy_bytes(blocks.of(all, root), mine);
  sends.wait();
}

Cost scatter_linear_cost(const Blocks& blocks, int root) {
  return {blocks.processors() - 1, static_cast<std::int64_t>(blocks.total() - blocks.bytes(root))};
}

}  // namespace postroom
