#include "collectives/algorithms/allgather_recursive_doubling.h"

#include "collectives/parts/arguments.h"

namespace postroom {

void allgather_recursive_doubling(Processor& self, ConstBytes mine, const Blocks& blocks, Bytes all,
                                  Where where) {
  copy_bytes(mine, blocks.of(all, self.id()));
  for (int size = 1; size < self.count(); size *= 2) {
    // The group of a processor is the range of `size` processors that it lies in.
    const int partner = self.id() ^ size;
    const Bytes held = blocks.of(all, self.id() & -size, size);
    const Bytes missing = blocks.of(all, partner & -size, size);
    self.exchange(partner, held, partner, missing, where);
  }
}

Cost allgather_recursive_doubling_cost(const Blocks& blocks) {
  Cost cost;
  for (int size = 1; size < blocks.processors(); size *= 2) {
    cost += Cost::round(blocks.most_bytes(size));
  }
  return cost;
}

double allgather_recursive_doubling_time(const Blocks& blocks, const TimeModel& model) {
  double time = 0;
  for (int size = 1; size < blocks.processors(); size *= 2) {
    time += model.arrival(static_cast<std::int64_t>(blocks.most_bytes(size)));
  }
  return time;
}

}  // namespace postroom
