#include "collectives/algorithms/alltoall_shared.h"

#include "collectives/parts/arguments.h"
#include "collectives/parts/partner_order.h"
#include "collectives/parts/sends.h"

namespace postroom {
namespace {

/// block_for(target): what goes there; place_of(source): where what comes from there goes.
template <class BlockFor, class PlaceOf>
void exchange_all(Processor& self, BlockFor block_for, PlaceOf place_of, Where where) {
  if (self.count() == 2) {  // the same, with less around it
    const int other = 1 - self.id();
    Pending sent = self.start_send_bytes(other, block_for(other), where);
    copy_bytes(block_for(self.id()), place_of(self.id()));
    self.receive_bytes(other, place_of(other), where);
    return sent.wait();
  }
  Sends sends;
  for_each_partner(self, [&](int target, int) {
    if (target != kNobody) sends.add(self.start_send_bytes(target, block_for(target), where));
  });
  copy_bytes(block_for(self.id()), place_of(self.id()));
  for_each_partner(self, [&](int, int source) {
    if (source != kNobody) self.receive_bytes(source, place_of(source), where);
  });
  sends.wait();
}

}  // namespace

void alltoall_shared(Processor& self, ConstBytes send, const Blocks& send_blocks, Bytes receive,
                     const Blocks& receive_blocks, Where where) {
  exchange_all(
      self, [&](int target) { return send_blocks.of(send, target); },
      [&](int source) { return receive_blocks.of(receive, source); }, where);
}

void allgather_shared(Processor& self, ConstBytes mine, const Blocks& blocks, Bytes all,
                      Where where) {
  exchange_all(
      self, [&](int) { return mine; }, [&](int source) { return blocks.of(all, source); }, where);
}

}  // namespace postroom
