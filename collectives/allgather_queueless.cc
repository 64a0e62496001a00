#include "collectives/allgather_queueless.h"

#include "collectives/arguments.h"
#include "collectives/fat_tree_rounds.h"
#include "collectives/round.h"

namespace postroom {

void allgather_queueless(Processor& self, ConstBytes mine, const Blocks& blocks, Bytes all,
                         Where where) {
  copy_bytes(mine, blocks.of(all, self.id()));
  for_each_fat_tree_phase(self, where, [&](LeafSpan own, LeafSpan other, int rounds) {
    Round round;
    for (int turn = 0; turn < rounds; ++turn) {
      if (own.first + turn == self.id()) {
        for (int target = other.first; target < other.last; ++target) round.send(target, mine);
      }
      const int source = other.first + turn;
      if (other.holds(source)) round.receive(source, blocks.of(all, source));
      round.run(self, where);
    }
  });
}

Cost allgather_queueless_cost(const Blocks& blocks) {
  const int p = blocks.processors();
  return {fat_tree_rounds(p),
          fat_tree_busy_rounds(p) * static_cast<std::int64_t>(blocks.most_bytes(1))};
}

}  // namespace postroom
