#include "collectives/algorithms/alltoall_pairwise.h"

#include "collectives/parts/arguments.h"

namespace postroom {

void alltoall_pairwise(Processor& self, ConstBytes send, const Blocks& send_blocks, Bytes receive,
                       const Blocks& receive_blocks, Where where) {
  const int n = self.count();
  const int me = self.id();
  copy_bytes(send_blocks.of(send, me), receive_blocks.of(receive, me));
  for (int step = 1; step < n; ++step) {
    const int target = (me + step) % n;
    const int source = (me + n - step) % n;
    self.exchange(target, send_blocks.of(send, target), source, receive_blocks.of(receive, source),
                  where);
  }
}

Cost alltoall_pairwise_cost(int processors, std::int64_t block_bytes) {
  return (processors - 1) * Cost::round(block_bytes);
}

}  // namespace postroom
