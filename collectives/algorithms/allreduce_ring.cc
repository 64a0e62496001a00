#include "collectives/algorithms/allreduce_ring.h"

#include "collectives/models/replay_rounds.h"
#include "collectives/models/time_replay.h"
#include "collectives/parts/arguments.h"
#include "collectives/parts/even_blocks.h"
#include "collectives/parts/slices.h"

namespace postroom {

void allreduce_ring(Processor& self, ConstBytes in, Bytes out, const Operator& op, Where where) {
  const int p = self.count();
  const int left = (self.id() + p - 1) % p;
  const int right = (self.id() + 1) % p;
  const Slices slices(p, in.size(), op.element_bytes());
  const bool in_place = in.data() == out.data();
  if (p == 1) copy_bytes(in, out);
  // The own slice is left's, which is complete here at the end.
  for (int step = 1; step < p; ++step) {
    const int outgoing = (self.id() + p - step) % p;
    const int incoming = (self.id() + 2 * p - step - 1) % p;
    const ConstBytes sent = slices.of(step == 1 ? in : ConstBytes(out), outgoing);
    Pending pending = self.start_send_bytes(right, sent, where);
    const Bytes combined = slices.of(out, incoming);
    self.read(
        left, combined.size(),
        [&](ConstBytes before) {
          in_place ? op.prepend(before, combined)
                   : op.combine(before, slices.of(in, incoming), combined);
        },
        where);
    pending.wait();
  }
  for (int step = 1; step < p; ++step) {
    const int outgoing = (self.id() + p - step + 1) % p;
    const int incoming = (self.id() + p - step) % p;
    self.exchange(right, slices.of(ConstBytes(out), outgoing), left, slices.of(out, incoming),
                  where);
  }
}

Cost allreduce_ring_cost(int processors, std::int64_t bytes) {
  // All slices are under way in each of the rounds.
  const Slices slices(processors, static_cast<std::size_t>(bytes), 1);
  return 2 * (processors - 1) * Cost::round(slices.most_bytes());
}

double allreduce_ring_time(int processors, std::int64_t bytes, const TimeModel& model) {
  const Slices slices(processors, static_cast<std::size_t>(bytes), 1);
  const int rounds = 2 * (processors - 1);
  const bool all_equal =
      slices.most_bytes() * static_cast<std::size_t>(processors) == static_cast<std::size_t>(bytes);
  if (all_equal || processors > kMostExactBlocks) {
    return rounds * model.arrival(static_cast<std::int64_t>(slices.most_bytes()));
  }
  TimeReplay replay(model, processors, model.ports);
  for (int step = 1; step <= rounds; ++step) {
    replay_round(
        replay, processors, [&](int i) { return (i + 1) % processors; },
        [&](int i) { return slices.bytes((i + 2 * processors - step) % processors); });
  }
  return replay.finish_ns();
}

}  // namespace postroom
