#include "collectives/algorithms/allreduce_block_circulant.h"

#include <cstddef>

#include "collectives/algorithms/allgather_block_circulant.h"
#include "collectives/algorithms/reduce_scatter_block_circulant.h"
#include "collectives/models/time_replay.h"
#include "collectives/parts/arguments.h"
#include "collectives/parts/blocks.h"
#include "collectives/parts/circulant_pieces.h"
#include "collectives/parts/even_blocks.h"

namespace postroom {
void allreduce_block_circulant(Processor& self, ConstBytes in, Bytes out, const Operator& op,
                               int pieces, Where where) {
  copy_bytes(in, out);
  const Blocks blocks = even_blocks(self.count(), out.size(), op.element_bytes());
  reduce_scatter_block_circulant_in_place(self, out, blocks, op, pieces, where);
  allgather_block_circulant(self, blocks.of(ConstBytes(out), self.id()), blocks, out, pieces,
                            op.element_bytes(), where);
}

namespace {

/// What is counted and replayed.
Blocks counted_blocks(int processors, std::int64_t bytes) {
  const auto size = static_cast<std::size_t>(bytes);
  return processors > kMostExactBlocks ? largest_blocks(processors, size)
                                       : even_blocks(processors, size, 1);
}

}  // namespace

Cost allreduce_block_circulant_cost(int processors, std::int64_t bytes, int pieces) {
  const Blocks blocks = counted_blocks(processors, bytes);
  return reduce_scatter_block_circulant_cost(blocks, pieces, 1) +
         allgather_block_circulant_cost(blocks, pieces, 1);
}

double allreduce_block_circulant_time(int processors, std::int64_t bytes, int pieces,
                                      const TimeModel& model) {
  if (processors == 1) return 0;
  const Blocks blocks = counted_blocks(processors, bytes);
  const CirculantPieces plan(blocks, pieces, 1);
  if (!blocks.equal()) {
    TimeReplay replay(model, processors, 2 * plan.rounds());
    plan.replay_backwards(replay);
    plan.replay_forwards(replay);
    return replay.finish_ns();
  }
  double time = 0;
  for (int round = 0; round < plan.rounds(); ++round) {
    time += 2 * model.arrival(static_cast<std::int64_t>(plan.bytes(round, 0)));
  }
  return time;
}

}  // namespace postroom
