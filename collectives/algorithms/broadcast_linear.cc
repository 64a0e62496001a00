#include "collectives/algorithms/broadcast_linear.h"

#include "collectives/parts/sends.h"

namespace postroom {

void broadcast_linear(Processor& self, int root, Bytes data, Where where) {
  if (self.id() != root) return self.receive_bytes(root, data, where);
  if (self.count() == 1) return;
  if (self.count() == 2) return self.send_bytes(1 - root, data, where);
  const int last = root != self.count() - 1 ? self.count() - 1 : root - 1;
  Sends sends;
  for (int target = 0; target < last; ++target) {
    if (target != root) sends.add(self.start_send_bytes(target, data, where));
  }
  self.send_bytes(last, data, where);  // nothing else to do meanwhile
  sends.wait();
}

Cost broadcast_linear_cost(int processors, std::int64_t bytes) {
  return (processors - 1) * Cost::round(bytes);
}

}  // namespace postroom
