#include "collectives/algorithms/gather_binomial.h"

#include "collectives/parts/arguments.h"
#include "collectives/parts/binomial_tree.h"
#include "collectives/parts/scratch.h"

namespace postroom {
namespace {

/// Receives the blocks of the processors first … first+count-1 (cyclically) into their places in
/// `all`.
void receive_into_place(Processor& self, const Blocks& blocks, int first, int count, Bytes all,
                        Where where) {
  if (!blocks.runs_over(first, count)) {
    return self.receive_bytes(first, blocks.of(all, first, count), where);
  }
  Scratch packed(self, blocks.bytes(first, count));
  self.receive_bytes(first, packed.bytes(), where);
  blocks.unpack(packed.bytes(), first, count, all);
}

void gather_at_root(Processor& self, const BinomialTree& tree, ConstBytes mine,
                    const Blocks& blocks, Bytes all, Where where) {
  copy_bytes(mine, blocks.of(all, self.id()));
  for (int child = 1; tree.has_child(0, child); child *= 2) {
    receive_into_place(self, blocks, tree.processor(child), tree.subtree(child), all, where);
  }
}

void gather_for_parent(Processor& self, const BinomialTree& tree, ConstBytes mine,
                       const Blocks& blocks, Where where) {
  const int me = tree.node(self.id());
  const int parent = tree.processor(tree.parent(me));
  if (tree.subtree(me) == 1) return self.send_bytes(parent, mine, where);

  Scratch held(self, blocks.bytes(self.id(), tree.subtree(me)));
  copy_bytes(mine, held.bytes(0, mine.size()));
  for (int distance = 1; tree.has_child(me, distance); distance *= 2) {
    const int child = me + distance;
    const std::size_t before = blocks.bytes(self.id(), distance);
    const std::size_t bytes = blocks.bytes(tree.processor(child), tree.subtree(child));
    self.receive_bytes(tree.processor(child), held.bytes(before, bytes), where);
  }
  self.send_bytes(parent, held.bytes(), where);
}

}  // namespace

void gather_binomial(Processor& self, int root, ConstBytes mine, const Blocks& blocks, Bytes all,
                     Where where) {
  const BinomialTree tree(self.count(), root);
  if (self.id() == root) {
    gather_at_root(self, tree, mine, blocks, all, where);
  } else {
    gather_for_parent(self, tree, mine, blocks, where);
  }
}

Cost gather_binomial_cost(int processors, std::int64_t block_bytes) {
  return {doubling_rounds(processors), (processors - 1) * block_bytes};
}

}  // namespace postroom
