#include "collectives/algorithms/allreduce_halving_doubling.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include "collectives/models/time_replay.h"
#include "collectives/parts/arguments.h"
#include "collectives/parts/doubling.h"
#include "numa/cacheline.h"
#include "numa/rounding.h"

namespace postroom {
namespace {

/// A part of a list, in bytes.
struct Part {
  std::size_t begin;
  std::size_t end;

  std::size_t bytes() const { return end - begin; }
  template <class List>
  List of(List list) const {
    return list.subspan(begin, bytes());
  }
};

/// The parts that members have after some rounds of halving.
class Halving {
 public:
  Halving(std::size_t bytes, std::size_t element_bytes)
      : bytes_(bytes), unit_(std::lcm(element_bytes, kCacheLine)) {}

  /// Of the member `rank`, and of all whose last `rounds` bits are the same.
  Part part(int rank, int rounds) const {
    std::size_t begin = 0;
    std::size_t end = ceil_divide(bytes_, unit_);
    for (int round = 0; round < rounds; ++round) {
      const std::size_t middle = begin + ceil_divide<std::size_t>(end - begin, 2);
      ((rank >> round & 1) == 0 ? end : begin) = middle;
    }
    return {std::min(bytes_, begin * unit_), std::min(bytes_, end * unit_)};
  }

 private:
  std::size_t bytes_;
  std::size_t unit_;
};

}  // namespace

void allreduce_halving_doubling(Processor& self, ConstBytes in, Bytes out, const Operator& op,
                                Where where) {
  const Doubling doubling(self.count());
  if (!doubling.is_member(self.id())) {
    self.send_bytes(self.id() - 1, in, where);
    self.receive_bytes(self.id() - 1, out, where);
    return;
  }
  // out ← held ⊕ other, or the other way round, in their part of the list.
  const auto combine = [&](ConstBytes held, ConstBytes other, bool other_is_lower, Bytes result) {
    if (held.data() != result.data()) {
      return other_is_lower ? op.combine(other, held, result) : op.combine(held, other, result);
    }
    return other_is_lower ? op.prepend(other, result) : op.append(result, other);
  };
  ConstBytes held = in;
  const bool in_pair = doubling.in_pair(self.id());
  if (in_pair) {
    self.read(
        self.id() + 1, in.size(), [&](ConstBytes next) { combine(in, next, false, out); }, where);
    held = out;
  } else if (doubling.rounds() == 0) {
    copy_bytes(in, out);
  } else if (doubling.pairs > 0) {
    self.sit_out(1);  // so that all halve in the same rounds
  }

  const int rank = doubling.rank(self.id());
  const Halving halving(in.size(), op.element_bytes());
  for (int round = 0; round < doubling.rounds(); ++round) {
    const int other = rank ^ 1 << round;
    const int partner = doubling.member(other);
    const Part mine = halving.part(rank, round + 1);
    Pending sent = self.start_send_bytes(partner, halving.part(other, round + 1).of(held), where);
    self.read(
        partner, mine.bytes(),
        [&](ConstBytes theirs) { combine(mine.of(held), theirs, other < rank, mine.of(out)); },
        where);
    sent.wait();
    held = out;
  }
  for (int round = doubling.rounds() - 1; round >= 0; --round) {
    const int other = rank ^ 1 << round;
    const int partner = doubling.member(other);
    self.exchange(partner, halving.part(rank, round + 1).of(ConstBytes(out)), partner,
                  halving.part(other, round + 1).of(out), where);
  }
  if (in_pair) self.send_bytes(self.id() + 1, out, where);
}

Cost allreduce_halving_doubling_cost(int processors, std::int64_t bytes) {
  const Doubling doubling(processors);
  const Halving halving(static_cast<std::size_t>(bytes), 1);
  Cost cost = (doubling.pairs > 0 ? 2 : 0) * Cost::round(bytes);
  for (int round = 0; round < doubling.rounds(); ++round) {
    cost = cost + 2 * Cost::round(halving.part(0, round + 1).bytes());  // no part is larger
  }
  return cost;
}

double allreduce_halving_doubling_time(int processors, std::int64_t bytes, const TimeModel& model) {
  const Doubling doubling(processors);
  const Halving halving(static_cast<std::size_t>(bytes), 1);
  TimeReplay replay(model, processors, model.ports);
  for (int pair = 0; pair < doubling.pairs; ++pair) {
    replay.receive(2 * pair, bytes, replay.send(2 * pair + 1, bytes));
  }
  std::vector<Time> arrivals(static_cast<std::size_t>(doubling.members));
  // In which each sends the part that `of(rank, its partner)` has after the round.
  const auto exchange = [&](int round, auto of) {
    const auto sent_by = [&](int rank) {
      return static_cast<std::int64_t>(
          halving.part(of(rank, rank ^ 1 << round), round + 1).bytes());
    };
    for (int rank = 0; rank < doubling.members; ++rank) {
      arrivals[static_cast<std::size_t>(rank)] = replay.send(doubling.member(rank), sent_by(rank));
    }
    for (int rank = 0; rank < doubling.members; ++rank) {
      const int other = rank ^ 1 << round;
      replay.receive(doubling.member(rank), sent_by(other),
                     arrivals[static_cast<std::size_t>(other)]);
    }
  };
  for (int round = 0; round < doubling.rounds(); ++round) {
    exchange(round, [](int, int partner) { return partner; });
  }
  for (int round = doubling.rounds() - 1; round >= 0; --round) {
    exchange(round, [](int rank, int) { return rank; });
  }
  for (int pair = 0; pair < doubling.pairs; ++pair) {
    replay.receive(2 * pair + 1, bytes, replay.send(2 * pair, bytes));
  }
  return replay.finish_ns();
}

}  // namespace postroom
