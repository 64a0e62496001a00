#include "collectives/broadcast_block_circulant.h"

#include <vector>

#include "collectives/block_cut.h"
#include "collectives/circulant_schedule.h"
#include "collectives/round.h"

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
  return {rounds, rounds * static_cast<std::int64_t>(cut.bytes(0))};
}

}  // namespace postroom
