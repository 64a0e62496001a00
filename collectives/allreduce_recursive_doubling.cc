#include "collectives/allreduce_recursive_doubling.h"

#include <bit>

#include "collectives/arguments.h"
#include "collectives/borrow.h"
#include "collectives/scratch.h"
#include "collectives/time_replay.h"

namespace postroom {
namespace {

// Which processors double: 2^m of them, `pairs` of which stand for two.
struct Doubling {
  explicit Doubling(int processors)
      : members(static_cast<int>(std::bit_floor(static_cast<unsigned>(processors)))),
        pairs(processors - members) {}

  bool in_pair(int processor) const { return processor < 2 * pairs; }
  bool is_member(int processor) const { return !in_pair(processor) || processor % 2 == 0; }
  int rank(int member) const { return in_pair(member) ? member / 2 : member - pairs; }
  int member(int rank) const { return rank < pairs ? 2 * rank : rank + pairs; }

  int members;
  int pairs;
};

void combine_doubling(Processor& self, const Doubling& doubling, Bytes held, const Operator& op,
                      Where where) {
  const int rank = doubling.rank(self.id());
  Scratch received(held.size());
  for (int distance = 1; distance < doubling.members; distance *= 2) {
    const int partner = doubling.member(rank ^ distance);
    self.exchange(partner, held, partner, received.bytes(), where);
    if (partner < self.id()) {
      op.prepend(received.bytes(), held);
    } else {
      op.append(held, received.bytes());
    }
  }
}

}  // namespace

void allreduce_recursive_doubling(Processor& self, ConstBytes in, Bytes out, const Operator& op,
                                  Where where) {
  const Doubling doubling(self.count());
  if (!doubling.is_member(self.id())) {
    self.send_bytes(self.id() - 1, in, where);
    self.receive_bytes(self.id() - 1, out, where);
    return;
  }
  copy_bytes(in, out);
  const bool in_pair = doubling.in_pair(self.id());
  if (in_pair) op.append(out, borrow_exactly(self, self.id() + 1, in.size(), where).bytes());
  combine_doubling(self, doubling, out, op, where);
  if (in_pair) self.send_bytes(self.id() + 1, out, where);
}

Cost allreduce_recursive_doubling_cost(int processors, std::int64_t bytes) {
  const Doubling doubling(processors);
  const int rounds = doubling_rounds(doubling.members) + (doubling.pairs > 0 ? 2 : 0);
  return {rounds, rounds * bytes};
}

double allreduce_recursive_doubling_time(int processors, std::int64_t bytes,
                                         const TimeModel& model) {
  const Doubling doubling(processors);
  TimeReplay replay(model, processors, doubling_rounds(processors) + 1);
  for (int pair = 0; pair < doubling.pairs; ++pair) {
    replay.receive(2 * pair, bytes, replay.send(2 * pair + 1, bytes));
  }
  std::vector<Time> arrivals(static_cast<std::size_t>(doubling.members));
  for (int distance = 1; distance < doubling.members; distance *= 2) {
    for (int rank = 0; rank < doubling.members; ++rank) {
      arrivals[static_cast<std::size_t>(rank ^ distance)] =
          replay.send(doubling.member(rank), bytes);
    }
    for (int rank = 0; rank < doubling.members; ++rank) {
      replay.receive(doubling.member(rank), bytes, arrivals[static_cast<std::size_t>(rank)]);
    }
  }
  for (int pair = 0; pair < doubling.pairs; ++pair) {
    replay.receive(2 * pair + 1, bytes, replay.send(2 * pair, bytes));
  }
  return replay.finish_ns();
}

}  // namespace postroom
