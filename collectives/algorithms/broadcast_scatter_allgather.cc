#include "collectives/algorithms/broadcast_scatter_allgather.h"

#include <cstddef>
#include <vector>

#include "collectives/algorithms/allgather_circulant.h"
#include "collectives/algorithms/scatter_binomial.h"
#include "collectives/models/time_replay.h"
#include "collectives/models/tree_times.h"
#include "collectives/parts/binomial_tree.h"
#include "collectives/parts/blocks.h"
#include "collectives/parts/even_blocks.h"

namespace postroom {
namespace {

constexpr CirculantOptions kInPlace{.rotated = false};

/// The scatter from processor 0.
void replay_scatter(TimeReplay& replay, const Blocks& blocks) {
  const BinomialTree tree(blocks.processors(), 0);
  std::vector<Time> arrivals(static_cast<std::size_t>(blocks.processors()));
  const auto bytes_below = [&](int node) {
    return static_cast<std::int64_t>(blocks.bytes(node, tree.subtree(node)));
  };
  // Parents come before their children.
  for (int node = 0; node < blocks.processors(); ++node) {
    if (node > 0) {
      replay.receive(node, bytes_below(node), arrivals[static_cast<std::size_t>(node)]);
    }
    for (int distance = tree.reach(node) / 2; distance >= 1; distance /= 2) {
      if (!tree.has_child(node, distance)) continue;
      const int child = node + distance;
      arrivals[static_cast<std::size_t>(child)] = replay.send(node, bytes_below(child));
    }
  }
}

}  // namespace

void broadcast_scatter_allgather(Processor& self, int root, Bytes data, Where where) {
  const Blocks blocks = even_blocks(self.count(), data.size(), 1);
  const Bytes mine = blocks.of(data, self.id());
  scatter_binomial(self, root, blocks, data, mine, where);
  allgather_circulant(self, mine, blocks, data, kInPlace, where);
}

Cost broadcast_scatter_allgather_cost(int processors, std::int64_t bytes) {
  const Blocks blocks = largest_blocks(processors, static_cast<std::size_t>(bytes));
  return scatter_binomial_cost(processors, static_cast<std::int64_t>(blocks.bytes(0))) +
         allgather_circulant_cost(blocks, kInPlace);
}

double broadcast_scatter_allgather_time(int processors, std::int64_t bytes,
                                        const TimeModel& model) {
  if (processors > kMostExactProcessors) {
    const Blocks blocks = largest_blocks(processors, static_cast<std::size_t>(bytes));
    return binomial_scatter_time(processors, static_cast<std::int64_t>(blocks.bytes(0)), model) +
           allgather_circulant_time(blocks, kInPlace, model);
  }
  const Blocks blocks = even_blocks(processors, static_cast<std::size_t>(bytes), 1);
  TimeReplay replay(model, processors, model.ports);
  replay_scatter(replay, blocks);
  replay_circulant(replay, blocks);
  return replay.finish_ns();
}

}  // namespace postroom
