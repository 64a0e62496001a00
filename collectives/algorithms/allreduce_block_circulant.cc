#include "collectives/algorithms/allreduce_block_circulant.h"

#include <vector>

#include "collectives/algorithms/allgather_block_circulant.h"
#include "collectives/algorithms/reduce_scatter_block_circulant.h"
#include "collectives/models/time_replay.h"
#include "collectives/parts/arguments.h"
#include "collectives/parts/block_cut.h"
#include "collectives/parts/blocks.h"
#include "collectives/parts/circulant_pieces.h"

namespace postroom {
namespace {

/// One block for each processor, of whole elements; the last ones may be smaller.
Blocks even_blocks(int processors, std::size_t bytes, std::size_t element_bytes) {
  const BlockCut cut(bytes, processors, element_bytes);
  std::vector<std::size_t> counts;
  counts.reserve(static_cast<std::size_t>(processors));
  for (int block = 0; block < processors; ++block) {
    counts.push_back(cut.bytes(block) / element_bytes);
  }
  return Blocks(counts, element_bytes);
}

}  // namespace

void allreduce_block_circulant(Processor& self, ConstBytes in, Bytes out, const Operator& op,
                               int pieces, Where where) {
  copy_bytes(in, out);
  const Blocks blocks = even_blocks(self.count(), out.size(), op.element_bytes());
  reduce_scatter_block_circulant_in_place(self, out, blocks, op, pieces, where);
  allgather_block_circulant(self, blocks.of(ConstBytes(out), self.id()), blocks, out, pieces,
                            op.element_bytes(), where);
}

Cost allreduce_block_circulant_cost(int processors, std::int64_t bytes, int pieces) {
  const bool all_equal = bytes % processors == 0;
  const Blocks blocks =
      all_equal || processors > kMostExactBlocks
          ? Blocks(processors, BlockCut(static_cast<std::size_t>(bytes), processors).bytes(0))
          : even_blocks(processors, static_cast<std::size_t>(bytes), 1);
  return reduce_scatter_block_circulant_cost(blocks, pieces, 1) +
         allgather_block_circulant_cost(blocks, pieces, 1);
}

double allreduce_block_circulant_time(int processors, std::int64_t bytes, int pieces,
                                      const TimeModel& model) {
  if (processors == 1) return 0;
  const BlockCut cut(static_cast<std::size_t>(bytes), processors);
  const bool all_equal = bytes % processors == 0;
  if (!all_equal && processors <= kMostExactBlocks) {
    const Blocks blocks = even_blocks(processors, static_cast<std::size_t>(bytes), 1);
    const CirculantPieces plan(blocks, pieces, 1);
    TimeReplay replay(model, processors, 2 * plan.rounds());
    plan.replay_backwards(replay);
    plan.replay_forwards(replay);
    return replay.finish_ns();
  }
  const Blocks blocks(processors, cut.bytes(0));
  const CirculantPieces plan(blocks, pieces, 1);
  double time = 0;
  for (int round = 0; round < plan.rounds(); ++round) {
    time += 2 * model.arrival(static_cast<std::int64_t>(plan.bytes(round, 0)));
  }
  return time;
}

}  // namespace postroom
