#include "collectives/algorithms/reduce_scatter_shared.h"

#include <algorithm>
#include <cstddef>

#include "collectives/parts/borrow.h"
#include "collectives/parts/combine_lists.h"
#include "collectives/parts/counted_on.h"
#include "collectives/parts/few.h"
#include "collectives/parts/slices.h"

namespace postroom {

void reduce_scatter_shared(Processor& self, ConstBytes in, const Blocks& blocks, Bytes out,
                           const Operator& op, Where where) {
  const int p = self.count();
  const int me = self.id();
  const Slices slices(p, in.size(), op.element_bytes());

  Few<Pending> lent(2 * (p - 1));
  for (int step = 1; step < p; ++step) {
    const int other = (me + step) % p;
    lent[2 * step - 2] = self.lend_bytes(other, slices.of(in, other), where);
    lent[2 * step - 1] = self.lend_bytes(other, out, where);
  }
  // Given back before what was lent is waited for, also where an exception comes by.
  Few<Borrowed> borrowed(2 * (p - 1));
  CountedOn counted_on(self, where);
  Few<ConstBytes> lists(p);
  Few<Bytes> results(p);
  lists[me] = slices.of(in, me);
  results[me] = out;
  for (int step = 1; step < p; ++step) {
    const int other = (me + p - step) % p;
    borrowed[2 * step - 2] = borrow_exactly(self, other, slices.bytes(me), where);
    borrowed[2 * step - 1] = borrow_exactly(self, other, blocks.bytes(other), where);
    lists[other] = borrowed[2 * step - 2].bytes();
    results[other] = writable(borrowed[2 * step - 1]);
  }
  Few<ConstBytes> parts(p);
  for (int block = 0; block < p; ++block) {
    const std::size_t begin = std::max(slices.begin(me), blocks.begin(block));
    const std::size_t end = std::min(slices.begin(me + 1), blocks.begin(block + 1));
    if (begin >= end) continue;
    for (int q = 0; q < p; ++q) {
      parts[q] = lists[q].subspan(begin - slices.begin(me), end - begin);
    }
    const Bytes result = results[block].subspan(begin - blocks.begin(block), end - begin);
    combine_lists(parts.all(), me, {&result, 1}, in.size(), op);
  }
  counted_on.end();
  for (Borrowed& loan : borrowed.all()) loan.give_back();
  for (Pending& loan : lent.all()) loan.wait();
}

Cost reduce_scatter_shared_cost(const Blocks& blocks) {
  const int p = blocks.processors();
  const Slices slices(p, blocks.total(), 1);
  return (p - 1) * (Cost::round(slices.most_bytes()) + Cost::round(blocks.most_bytes(1)));
}

}  // namespace postroom
