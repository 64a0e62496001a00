#include "collectives/algorithms/alltoall_fat_tree.h"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>
#include <vector>

#include "collectives/models/time_replay.h"
#include "collectives/parts/arguments.h"
#include "collectives/parts/fat_tree_rounds.h"
#include "collectives/parts/round.h"

namespace postroom {
namespace {

constexpr int kNobody = -1;

/// What a processor does in one round of a phase.
struct Turn {
  int target = kNobody;
  int source = kNobody;
};

/// Halves of equal size: everybody sends in every round.
std::vector<Turn> turns_of_equal_halves(int place, LeafSpan other) {
  const int size = other.size();
  const bool has_bits = std::has_single_bit(static_cast<unsigned>(size));
  std::vector<Turn> turns;
  for (int round = 0; round < size; ++round) {
    const int to = has_bits ? place ^ round : (place + round) % size;
    const int from = has_bits ? place ^ round : (place + size - round) % size;
    turns.push_back({other.first + to, other.first + from});
  }
  return turns;
}

/// Halves of a and b = a ± 1: packet t goes from t mod a to t mod b, and one comes the other way.
std::vector<Turn> turns_of_unequal_halves(int place, LeafSpan own, LeafSpan other) {
  const int in_a_round = std::min(own.size(), other.size());
  std::vector<Turn> turns(static_cast<std::size_t>(std::max(own.size(), other.size())));
  for (int i = 0; i < other.size(); ++i) {
    const std::int64_t packet = std::int64_t{i} * own.size() + place;
    const int partner = other.first + static_cast<int>(packet % other.size());
    turns[static_cast<std::size_t>(packet / in_a_round)] = {partner, partner};
  }
  return turns;
}

std::vector<Turn> turns_of(int self, LeafSpan own, LeafSpan other) {
  const int place = self - own.first;
  return own.size() == other.size() ? turns_of_equal_halves(place, other)
                                    : turns_of_unequal_halves(place, own, other);
}

}  // namespace

void alltoall_fat_tree(Processor& self, ConstBytes send, Bytes receive, const Blocks& blocks,
                       Where where) {
  copy_bytes(blocks.of(send, self.id()), blocks.of(receive, self.id()));
  for_each_fat_tree_phase(self, [&](LeafSpan own, LeafSpan other, int rounds) {
    const std::vector<Turn> turns = turns_of(self.id(), own, other);
    Round round;
    for (const auto [target, source] : turns) {
      if (target != kNobody) round.send(target, blocks.of(send, target));
      if (source != kNobody) round.receive(source, blocks.of(receive, source));
      round.run(self, where);
    }
    self.sit_out(rounds - static_cast<int>(turns.size()));
  });
}

Cost alltoall_fat_tree_cost(int processors, std::int64_t block_bytes) {
  return {fat_tree_rounds(processors), fat_tree_busy_rounds(processors) * block_bytes};
}

void alltoall_planned(Processor& self, ConstBytes send, Bytes receive, const FatTreePlan& plan,
                      Where where) {
  const Operation operation(self, "alltoall");
  if (plan.processors() != self.count()) {
    throw std::invalid_argument("alltoall: a plan for " + std::to_string(plan.processors()) +
                                " processors is not allowed; " + std::to_string(self.count()));
  }
  require_equal_blocks("alltoall", "send", send.size(), self.count());
  require_bytes("alltoall", "receive", receive.size(), send.size(), "as many as in send");
  require_disjoint("alltoall", "send", send, "receive", receive);

  const Blocks blocks(self.count(), send.size() / static_cast<std::size_t>(self.count()));
  copy_bytes(blocks.of(send, self.id()), blocks.of(receive, self.id()));
  const std::span<const FatTreePlan::Transfer> transfers = plan.of(self.id());
  std::int64_t rounds = 0;
  Round round;
  for (std::size_t i = 0; i < transfers.size();) {
    const std::int64_t now = transfers[i].round;
    self.sit_out(now - rounds - 1);
    for (; i < transfers.size() && transfers[i].round == now; ++i) {
      const auto [_, peer, sends] = transfers[i];
      if (sends) round.send(peer, blocks.of(send, peer));
      if (!sends) round.receive(peer, blocks.of(receive, peer));
    }
    round.run(self, where);
    rounds = now;
  }
}

double alltoall_fat_tree_time(int processors, std::int64_t block_bytes, const TimeModel& model) {
  const bool all_busy = std::has_single_bit(static_cast<unsigned>(processors));
  if (all_busy || processors > kMostExactFatTree) {
    return static_cast<double>(fat_tree_busy_rounds(processors)) * model.arrival(block_bytes);
  }
  TimeReplay replay(model, processors, processors);
  std::vector<std::vector<Turn>> turns(static_cast<std::size_t>(processors));
  std::vector<Time> arrivals(static_cast<std::size_t>(processors));
  for (int level = balanced_levels(processors); level >= 1; --level) {
    for (int i = 0; i < processors; ++i) {
      turns[static_cast<std::size_t>(i)] = turns_of(i, balanced_subtree(processors, i, level - 1),
                                                    balanced_sibling(processors, i, level - 1));
    }
    const int rounds = fat_tree_phase_rounds(processors, level);
    const auto for_each_turn = [&](std::size_t round, auto visit) {
      for (int i = 0; i < processors; ++i) {
        const std::vector<Turn>& own = turns[static_cast<std::size_t>(i)];
        if (round < own.size()) visit(i, own[round]);
      }
    };
    for (std::size_t round = 0; round < static_cast<std::size_t>(rounds); ++round) {
      for_each_turn(round, [&](int i, Turn turn) {
        if (turn.target == kNobody) return;
        arrivals[static_cast<std::size_t>(turn.target)] = replay.send(i, block_bytes);
      });
      for_each_turn(round, [&](int i, Turn turn) {
        if (turn.source == kNobody) return;
        replay.receive(i, block_bytes, arrivals[static_cast<std::size_t>(i)]);
      });
    }
  }
  return replay.finish_ns();
}

}  // namespace postroom
