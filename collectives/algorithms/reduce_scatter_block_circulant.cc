#include "collectives/algorithms/reduce_scatter_block_circulant.h"

#include "collectives/parts/arguments.h"
#include "collectives/parts/circulant_pieces.h"
#include "collectives/parts/scratch.h"

namespace postroom {

void reduce_scatter_block_circulant_in_place(Processor& self, Bytes all, const Blocks& blocks,
                                             const Operator& op, int pieces, Where where) {
  const int p = self.count();
  if (p == 1) return;
  const CirculantPieces plan(blocks, pieces, op.element_bytes());
  for (int round = plan.rounds() - 1; round >= 0; --round) {
    const int to = (self.id() + p - plan.distance(round)) % p;
    const int from = (self.id() + plan.distance(round)) % p;
    Scratch outgoing(self, plan.bytes(round, self.id()));
    Scratch incoming(self, plan.bytes(round, from));
    plan.pack(round, self.id(), all, outgoing.bytes());
    self.exchange(to, outgoing.bytes(), from, incoming.bytes(), where);
    ConstBytes parts = incoming.bytes();
    plan.for_each(round, from, [&](std::size_t begin, std::size_t bytes) {
      op.append(all.subspan(begin, bytes), parts.first(bytes));
      parts = parts.subspan(bytes);
    });
  }
}

void reduce_scatter_block_circulant(Processor& self, ConstBytes in, const Blocks& blocks, Bytes out,
                                    const Operator& op, int pieces, Where where) {
  Scratch all(self, in.size());
  copy_bytes(in, all.bytes());
  reduce_scatter_block_circulant_in_place(self, all.bytes(), blocks, op, pieces, where);
  copy_bytes(blocks.of(ConstBytes(all.bytes()), self.id()), out);
}

Cost reduce_scatter_block_circulant_cost(const Blocks& blocks, int pieces,
                                         std::size_t element_bytes) {
  if (blocks.processors() == 1) return {};
  return CirculantPieces(blocks, pieces, element_bytes).cost();
}

}  // namespace postroom
