#include "collectives/algorithms/broadcast_binomial.h"

#include "collectives/parts/sends.h"

namespace postroom {

void broadcast_binomial(Processor& self, int root, Bytes data, Where where) {
  const int p = self.count();
  const int me = (self.id() - root + p) % p;
  const auto processor = [&](int node) { return node < p - root ? node + root : node + root - p; };

  // Down from the root's range, of all, to the range whose root this processor is.
  int first = 0;
  int count = p;
  int parent = -1;
  while (first != me) {
    const int kept = count - count / 2;
    if (me < first + kept) {
      count = kept;
    } else {
      parent = first;
      first += kept;
      count -= kept;
    }
  }
  if (parent >= 0) self.receive_bytes(processor(parent), data, where);

  Sends sends;
  while (count > 1) {
    count -= count / 2;
    sends.add(self.start_send_bytes(processor(me + count), data, where));
  }
  sends.wait();
}

Cost broadcast_binomial_cost(int processors, std::int64_t bytes) {
  return doubling_rounds(processors) * Cost::round(bytes);
}

}  // namespace postroom
