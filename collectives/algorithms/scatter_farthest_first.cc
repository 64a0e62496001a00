#include "collectives/algorithms/scatter_farthest_first.h"

#include "collectives/parts/arguments.h"
#include "collectives/parts/sends.h"
#include "fat_trees/fat_tree_halves.h"

namespace postroom {

std::vector<int> farthest_first_order(int processors, int root) {
  std::vector<int> order;
  order.reserve(static_cast<std::size_t>(processors) - 1);
  for (int level = balanced_levels(processors); level >= 1; --level) {
    const LeafSpan sibling = balanced_sibling(processors, root, level - 1);
    for (int target = sibling.first; target < sibling.last; ++target) order.push_back(target);
  }
  return order;
}

void scatter_farthest_first(Processor& self, int root, const Blocks& blocks, ConstBytes all,
                            Bytes mine, Where where) {
  if (self.id() != root) return self.receive_bytes(root, mine, where);
  Sends sends;
  for (const int target : farthest_first_order(self.count(), root)) {
    sends.add(self.start_send_bytes(target, blocks.of(all, target), where));
  }
  copy_bytes(blocks.of(all, root), mine);
  sends.wait();
}

Cost scatter_farthest_first_cost(int processors, std::int64_t block_bytes) {
  return (processors - 1) * Cost::round(block_bytes);
}

}  // namespace postroom
