#include "collectives/algorithms/allgather_block_circulant.h"

#include "collectives/parts/arguments.h"
#include "collectives/parts/circulant_pieces.h"
#include "collectives/parts/scratch.h"

namespace postroom {

void allgather_block_circulant(Processor& self, ConstBytes mine, const Blocks& blocks, Bytes all,
                               int pieces, std::size_t element_bytes, Where where) {
  const int p = self.count();
  copy_bytes(mine, blocks.of(all, self.id()));
  if (p == 1) return;
  const CirculantPieces plan(blocks, pieces, element_bytes);
  for (int round = 0; round < plan.rounds(); ++round) {
    const int to = (self.id() + plan.distance(round)) % p;
    const int from = (self.id() + p - plan.distance(round)) % p;
    Scratch outgoing(self, plan.bytes(round, to));
    Scratch incoming(self, plan.bytes(round, self.id()));
    plan.pack(round, to, all, outgoing.bytes());
    self.exchange(to, outgoing.bytes(), from, incoming.bytes(), where);
    plan.unpack(round, self.id(), incoming.bytes(), all);
  }
}

Cost allgather_block_circulant_cost(const Blocks& blocks, int pieces, std::size_t element_bytes) {
  if (blocks.processors() == 1) return {};
  return CirculantPieces(blocks, pieces, element_bytes).cost();
}

}  // namespace postroom
