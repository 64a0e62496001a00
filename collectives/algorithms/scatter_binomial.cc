#include "collectives/algorithms/scatter_binomial.h"

#include <optional>

#include "collectives/parts/arguments.h"
#include "collectives/parts/binomial_tree.h"
#include "collectives/parts/scratch.h"
#include "collectives/parts/sends.h"

namespace postroom {
namespace {

void scatter_from_root(Processor& self, const BinomialTree& tree, const Blocks& blocks,
                       ConstBytes all, Bytes mine, Where where) {
  std::optional<Scratch> packed;  // for the one subtree that may run over the end of `all`
  Sends sends;
  for (int child = tree.reach(0) / 2; child >= 1; child /= 2) {
    const int first = tree.processor(child);
    const int count = tree.subtree(child);
    if (!blocks.runs_over(first, count)) {
      sends.add(self.start_send_bytes(first, blocks.of(all, first, count), where));
      continue;
    }
    packed.emplace(self, blocks.bytes(first, count));
    blocks.pack(all, first, count, packed->bytes());
    sends.add(self.start_send_bytes(first, packed->bytes(), where));
  }
  copy_bytes(blocks.of(all, self.id()), mine);
  sends.wait();
}

void scatter_from_parent(Processor& self, const BinomialTree& tree, const Blocks& blocks,
                         Bytes mine, Where where) {
  const int me = tree.node(self.id());
  const int parent = tree.processor(tree.parent(me));
  if (tree.subtree(me) == 1) return self.receive_bytes(parent, mine, where);

  Scratch held(self, blocks.bytes(self.id(), tree.subtree(me)));
  self.receive_bytes(parent, held.bytes(), where);
  Sends sends;
  for (int distance = tree.reach(me) / 2; distance >= 1; distance /= 2) {
    if (!tree.has_child(me, distance)) continue;
    const int child = me + distance;
    const std::size_t before = blocks.bytes(self.id(), distance);
    const std::size_t bytes = blocks.bytes(tree.processor(child), tree.subtree(child));
    sends.add(self.start_send_bytes(tree.processor(child), held.bytes(before, bytes), where));
  }
  copy_bytes(held.bytes(0, mine.size()), mine);
  sends.wait();
}

}  // namespace

void scatter_binomial(Processor& self, int root, const Blocks& blocks, ConstBytes all, Bytes mine,
                      Where where) {
  const BinomialTree tree(self.count(), root);
  if (self.id() == root) {
    scatter_from_root(self, tree, blocks, all, mine, where);
  } else {
    scatter_from_parent(self, tree, blocks, mine, where);
  }
}

Cost scatter_binomial_cost(int processors, std::int64_t block_bytes) {
  return {doubling_rounds(processors), (processors - 1) * block_bytes};
}

}  // namespace postroom
