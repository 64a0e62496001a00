#include "collectives/broadcast_linear.h"

#include "collectives/sends.h"

namespace postroom {

void broadcast_linear(Processor& self, int root, Bytes data, Where where) {
  if (self.id() != root) return self.receive_bytes(root, data, where);
  Sends sends;
  for (int target = 0; target < self.count(); ++target) {
    if (target != root) sends.add(self.start_send_bytes(target, data, where));
  }
  sends.wait();
}

Cost broadcast_linear_cost(int processors, std::int64_t bytes) {
  return {processors - 1, (processors - 1) * bytes};
}

}  // namespace postroom
