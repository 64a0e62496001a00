#include "collectives/algorithms/broadcast_flooding.h"

#include "collectives/parts/round.h"

namespace postroom {

void broadcast_flooding(Processor& self, int root, Bytes data, Where where) {
  if (self.id() != root) return self.receive_bytes(root, data, where);
  Round round;
  for (int target = 0; target < self.count(); ++target) {
    if (target != root) round.send(target, data);
  }
  round.run(self, where);
}

Cost broadcast_flooding_cost(int processors, std::int64_t bytes) {
  return processors == 1 ? Cost{} : Cost{1, bytes};
}

}  // namespace postroom
