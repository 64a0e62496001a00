#include "collectives/algorithms/allreduce_shared.h"

#include "collectives/parts/combine_lists.h"
#include "collectives/parts/few.h"
#include "collectives/parts/shared_slices.h"

namespace postroom {

void allreduce_shared(Processor& self, ConstBytes in, Bytes out, const Operator& op, Where where) {
  const int p = self.count();
  const int me = self.id();
  SharedSlices slices(self, in, out, op.element_bytes(), where);
  Few<ConstBytes> lists(p);
  Few<Bytes> results(p);  // from the own one on
  for (int step = 0; step < p; ++step) {
    const int other = (me + p - step) % p;
    lists[other] = slices.in(other);
    results[step] = slices.out(other);
  }
  combine_lists(lists.all(), me, results.all(), in.size(), op);
  slices.finish();
}

}  // namespace postroom
