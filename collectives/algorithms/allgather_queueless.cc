#include "collectives/algorithms/allgather_queueless.h"

#include "collectives/models/time_replay.h"
#include "collectives/parts/arguments.h"
#include "collectives/parts/fat_tree_rounds.h"
#include "collectives/parts/round.h"

namespace postroom {

void allgather_queueless(Processor& self, ConstBytes mine, const Blocks& blocks, Bytes all,
                         Where where) {
  copy_bytes(mine, blocks.of(all, self.id()));
  for_each_fat_tree_phase(self, [&](LeafSpan own, LeafSpan other, int rounds) {
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

namespace {

/// In one turn of the phase of `level` one processor of each half sends to all of the other half.
void replay_turn(TimeReplay& replay, int processors, int level, int turn, std::int64_t bytes,
                 std::vector<Time>& arrivals) {
  const auto for_each_message = [&](auto visit) {
    for (int first = 0, last = 0; first < processors; first = last) {
      const LeafSpan own = balanced_subtree(processors, first, level - 1);
      const LeafSpan other = balanced_sibling(processors, first, level - 1);
      last = own.last;
      if (turn >= own.size()) continue;
      for (int target = other.first; target < other.last; ++target) visit(first + turn, target);
    }
  };
  for_each_message([&](int source, int target) {
    arrivals[static_cast<std::size_t>(target)] = replay.send(source, bytes);
  });
  for_each_message([&](int, int target) {
    replay.receive(target, bytes, arrivals[static_cast<std::size_t>(target)]);
  });
}

}  // namespace

double allgather_queueless_time(int processors, std::int64_t block_bytes, const TimeModel& model) {
  const bool exact = processors <= kMostExactQueueless;
  double bound = 0;
  TimeReplay replay(model, exact ? processors : 0, processors);
  std::vector<Time> arrivals(static_cast<std::size_t>(processors));
  for (int level = balanced_levels(processors); level >= 1; --level) {
    const int rounds = fat_tree_phase_rounds(processors, level);
    for (int turn = 0; turn < rounds; ++turn) {
      if (!exact) bound += model.fan_out(std::min(turn + 2, rounds), block_bytes);
      if (exact) replay_turn(replay, processors, level, turn, block_bytes, arrivals);
    }
  }
  return exact ? replay.finish_ns() : bound;
}

}  // namespace postroom
