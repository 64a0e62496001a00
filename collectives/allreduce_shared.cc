#include "collectives/allreduce_shared.h"

#include "collectives/borrow.h"
#include "collectives/combine_lists.h"
#include "collectives/few.h"
#include "collectives/slices.h"

namespace postroom {

void allreduce_shared(Processor& self, ConstBytes in, Bytes out, const Operator& op, Where where) {
  const int p = self.count();
  const int me = self.id();
  const Slices slices(p, in.size(), op.element_bytes());
  const std::size_t mine = slices.bytes(me);

  Few<Pending> lent(2 * (p - 1));
  for (int step = 1; step < p; ++step) {
    const int other = (me + step) % p;
    lent[2 * step - 2] = self.lend_bytes(other, slices.of(in, other), where);
    lent[2 * step - 1] = self.lend_bytes(other, slices.of(out, other), where);
  }
  // Declared last: given back first, also where an exception comes by.
  Few<Borrowed> borrowed(2 * (p - 1));
  Few<ConstBytes> lists(p);
  Few<Bytes> results(p);
  lists[me] = slices.of(in, me);
  results[0] = slices.of(out, me);
  for (int step = 1; step < p; ++step) {
    const int other = (me + p - step) % p;
    borrowed[2 * step - 2] = borrow_exactly(self, other, mine, where);
    borrowed[2 * step - 1] = borrow_exactly(self, other, mine, where);
    lists[other] = borrowed[2 * step - 2].bytes();
    results[step] = writable(borrowed[2 * step - 1]);
  }
  combine_lists(lists.all(), me, results.all(), in.size(), op);
  for (Borrowed& loan : borrowed.all()) loan.give_back();
  for (Pending& loan : lent.all()) loan.wait();
}

Cost allreduce_shared_cost(int processors, std::int64_t bytes) {
  const Slices slices(processors, static_cast<std::size_t>(bytes), 1);
  const int loans = 2 * (processors - 1);
  return {loans, loans * static_cast<std::int64_t>(slices.most_bytes())};
}

}  // namespace postroom
