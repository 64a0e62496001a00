#include "collectives/algorithms/broadcast_block_circulant.h"

#include <vector>

#include "collectives/models/time_replay.h"
#include "collectives/parts/block_cut.h"
#include "collectives/parts/circulant_schedule.h"
#include "collectives/parts/round.h"

namespace postroom {

void broadcast_block_circulant(Processor& self, int root, Bytes data, int blocks, Where where) {
  const int p = self.count();
  if (p == 1) return;
  const int me = (self.id() + p - root) % p;
  const auto processor = [&](int node) { return (root + node) % p; };
  const std::vector<int> skips = circulant_skips(p);
  const std::vector<int> receives = circulant_receives(skips, me);
  const std::vector<int> sends = circulant_sends(skips, me);
  const CirculantRounds rounds(p, blocks);
  const BlockCut cut(data.size(), blocks);

  for (int round = 0; round < rounds.rounds(); ++round) {
    const auto k = static_cast<std::size_t>(rounds.in_phase(round));
    const int to = (me + skips[k]) % p;
    const int from = (me + p - skips[k]) % p;
    const int outgoing = to == 0 ? -1 : rounds.block(round, sends[k]);
    const int incoming = me == 0 ? -1 : rounds.block(round, receives[k]);
    Round exchange;
    if (outgoing >= 0) exchange.send(processor(to), cut.of(ConstBytes(data), outgoing));
    if (incoming >= 0) exchange.receive(processor(from), cut.of(data, incoming));
    if (outgoing >= 0 || incoming >= 0) exchange.run(self, where);
  }
}

Cost broadcast_block_circulant_cost(int processors, std::int64_t bytes, int blocks) {
  if (processors == 1) return {};
  const int rounds = CirculantRounds(processors, blocks).rounds();
  const BlockCut cut(static_cast<std::size_t>(bytes), blocks);
  return rounds * Cost::round(cut.bytes(0));
}

double broadcast_block_circulant_time(int processors, std::int64_t bytes, int blocks,
                                      const TimeModel& model) {
  if (processors == 1) return 0;
  const std::vector<int> skips = circulant_skips(processors);
  const CirculantRounds rounds(processors, blocks);
  const BlockCut cut(static_cast<std::size_t>(bytes), blocks);
  std::vector<std::vector<int>> receives;
  for (int node = 0; node < processors; ++node) {
    receives.push_back(circulant_receives(skips, node));
  }
  struct Message {
    int target;
    std::int64_t bytes;
    Time arrival;
  };
  std::vector<Message> messages;
  TimeReplay replay(model, processors, rounds.rounds());
  for (int round = 0; round < rounds.rounds(); ++round) {
    const auto k = static_cast<std::size_t>(rounds.in_phase(round));
    messages.clear();
    for (int node = 1; node < processors; ++node) {  // the root receives nothing
      const int block = rounds.block(round, receives[static_cast<std::size_t>(node)][k]);
      if (block < 0) continue;
      const auto size = static_cast<std::int64_t>(cut.bytes(block));
      const int source = (node + processors - skips[k]) % processors;
      messages.push_back({node, size, replay.send(source, size)});
    }
    for (const Message& message : messages) {
      replay.receive(message.target, message.bytes, message.arrival);
    }
  }
  return replay.finish_ns();
}

}  // namespace postroom
