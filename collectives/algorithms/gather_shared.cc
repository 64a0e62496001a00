#include "collectives/algorithms/gather_shared.h"

#include "collectives/parts/arguments.h"
#include "collectives/parts/borrow.h"
#include "collectives/parts/sends.h"

namespace postroom {

void gather_shared(Processor& self, int root, ConstBytes mine, const Blocks& blocks, Bytes all,
                   Where where) {
  if (self.id() != root) {
    borrow_exactly(self, root, mine.size(), where).fill(mine, blocks.total());
    return;
  }
  Sends places;
  for (int source = 0; source < self.count(); ++source) {
    if (source != root) places.add(self.lend_bytes(source, blocks.of(all, source), where));
  }
  copy_bytes(mine, blocks.of(all, root));
  places.wait();
}

Cost gather_shared_cost(int processors, std::int64_t block_bytes) {
  return (processors - 1) * Cost::round(block_bytes);
}

}  // namespace postroom
