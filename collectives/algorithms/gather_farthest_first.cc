#include "collectives/algorithms/gather_farthest_first.h"

#include <algorithm>
#include <ranges>

#include "collectives/algorithms/scatter_farthest_first.h"
#include "collectives/parts/arguments.h"
#include "fat_trees/fat_tree_halves.h"

namespace postroom {
namespace {

/// The step in which the last message to the processors that meet `root` at `level` would arrive if
/// scatter sent it; all that are farther, and the others of this level, are served before.
int last_arrival(int processors, int root, int level) {
  return processors - balanced_subtree(processors, root, level - 1).size() - 1 + 2 * level;
}

/// The rounds that `self` lets pass before it sends.
int rounds_before(int processors, int root, int self) {
  int last = 0;
  for (int level = balanced_levels(processors); level >= 1; --level) {
    if (balanced_sibling(processors, root, level - 1).size() == 0) continue;
    last = std::max(last, last_arrival(processors, root, level));
  }
  const int level = balanced_level(processors, root, self);
  const LeafSpan equally_far = balanced_sibling(processors, root, level - 1);
  const int own = last_arrival(processors, root, level) - (equally_far.last - 1 - self);
  return last - own;
}

}  // namespace

void gather_farthest_first(Processor& self, int root, ConstBytes mine, const Blocks& blocks,
                           Bytes all, Where where) {
  if (self.id() != root) {
    self.sit_out(rounds_before(self.count(), root, self.id()));
    return self.send_bytes(root, mine, where);
  }
  copy_bytes(mine, blocks.of(all, root));
  for (const int source : std::views::reverse(farthest_first_order(self.count(), root))) {
    self.receive_bytes(source, blocks.of(all, source), where);
  }
}

Cost gather_farthest_first_cost(int processors, std::int64_t block_bytes) {
  return (processors - 1) * Cost::round(block_bytes);
}

}  // namespace postroom
