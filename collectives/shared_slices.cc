#include "collectives/shared_slices.h"

#include "collectives/borrow.h"

namespace postroom {

SharedSlices::SharedSlices(Processor& self, ConstBytes in, Bytes out, std::size_t element_bytes,
                           Where where)
    : in_(self.count()),
      out_(self.count()),
      lent_(2 * (self.count() - 1)),
      borrowed_(2 * (self.count() - 1)) {
  const int p = self.count();
  const int me = self.id();
  const Slices slices(p, in.size(), element_bytes);
  bytes_ = slices.bytes(me);
  for (int step = 1; step < p; ++step) {
    const int other = (me + step) % p;
    lent_[2 * step - 2] = self.lend_bytes(other, slices.of(in, other), where);
    lent_[2 * step - 1] = self.lend_bytes(other, slices.of(out, other), where);
  }
  in_[me] = slices.of(in, me);
  out_[me] = slices.of(out, me);
  for (int step = 1; step < p; ++step) {
    const int other = (me + p - step) % p;
    borrowed_[2 * step - 2] = borrow_exactly(self, other, bytes_, where);
    borrowed_[2 * step - 1] = borrow_exactly(self, other, bytes_, where);
    in_[other] = borrowed_[2 * step - 2].bytes();
    out_[other] = writable(borrowed_[2 * step - 1]);
  }
}

void SharedSlices::finish() {
  for (Borrowed& loan : borrowed_.all()) loan.give_back();
  for (Pending& loan : lent_.all()) loan.wait();
}

Cost shared_slices_cost(int processors, std::int64_t bytes) {
  const Slices slices(processors, static_cast<std::size_t>(bytes), 1);
  const int loans = 2 * (processors - 1);
  return {loans, loans * static_cast<std::int64_t>(slices.most_bytes())};
}

}  // namespace postroom
