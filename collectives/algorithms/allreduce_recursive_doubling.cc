#include "collectives/algorithms/allreduce_recursive_doubling.h"

#include "collectives/models/time_replay.h"
#include "collectives/parts/arguments.h"
#include "collectives/parts/doubling.h"
#include "collectives/parts/scratch.h"

namespace postroom {
namespace {

/// Which of two lists that take turns, the last one being `last`, is the first one.
Bytes first_of(const Doubling& doubling, Bytes last, Bytes other) {
  return doubling.rounds() % 2 == 1 ? last : other;
}

/// Combines `held` with what `partner` holds, which does the same, into `next`.
void combine_with(Processor& self, int partner, ConstBytes held, Bytes next, const Operator& op,
                  Where where) {
  Pending sent = self.start_send_bytes(partner, held, where);
  const auto combine = [&](ConstBytes theirs) {
    partner < self.id() ? op.combine(theirs, held, next) : op.combine(held, theirs, next);
  };
  self.read(partner, held.size(), combine, where);
  sent.wait();
}

/// Combines `held` of all members into `out`. What is sent is read where it lies; so the rounds
/// write to `out` and `spare` by turns, and `held` may not lie where the first one writes.
void combine_doubling(Processor& self, const Doubling& doubling, ConstBytes held, Bytes out,
                      Bytes spare, const Operator& op, Where where) {
  const int rank = doubling.rank(self.id());
  Bytes next = first_of(doubling, out, spare);
  for (int distance = 1; distance < doubling.members; distance *= 2) {
    combine_with(self, doubling.member(rank ^ distance), held, next, op, where);
    held = next;
    next = held.data() == out.data() ? spare : out;
  }
}

}  // namespace

void allreduce_recursive_doubling(Processor& self, ConstBytes in, Bytes out, const Operator& op,
                                  Where where) {
  const bool in_place = in.data() == out.data();
  if (self.count() == 2 && !in_place) {  // the same, with less around it
    return combine_with(self, 1 - self.id(), in, out, op, where);
  }
  const Doubling doubling(self.count());
  if (!doubling.is_member(self.id())) {
    self.send_bytes(self.id() - 1, in, where);
    self.receive_bytes(self.id() - 1, out, where);
    return;
  }
  const bool in_pair = doubling.in_pair(self.id());
  // Whether the rounds may not begin with `in` as it lies.
  const bool moves = in_pair || doubling.rounds() == 0 || (in_place && doubling.rounds() % 2 == 1);
  Scratch scratch(self, doubling.rounds() > 1 || moves ? in.size() : 0);
  const Bytes start = first_of(doubling, scratch.bytes(), out);
  if (in_pair) {
    const auto combine = [&](ConstBytes next) {
      in.data() == start.data() ? op.append(start, next) : op.combine(in, next, start);
    };
    self.read(self.id() + 1, in.size(), combine, where);
  } else if (moves) {
    copy_bytes(in, start);
  }
  combine_doubling(self, doubling, moves ? start : in, out, scratch.bytes(), op, where);
  if (in_pair) self.send_bytes(self.id() + 1, out, where);
}

Cost allreduce_recursive_doubling_cost(int processors, std::int64_t bytes) {
  const Doubling doubling(processors);
  const int rounds = doubling_rounds(doubling.members) + (doubling.pairs > 0 ? 2 : 0);
  return rounds * Cost::round(bytes);
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
