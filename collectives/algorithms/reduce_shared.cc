#include "collectives/algorithms/reduce_shared.h"

#include "collectives/parts/borrow.h"
#include "collectives/parts/combine_lists.h"
#include "collectives/parts/counted_on.h"
#include "collectives/parts/few.h"
#include "collectives/parts/slices.h"

namespace postroom {
namespace {

// Of two processors the one that is not the root has more to do for its slice, whose result goes
// into memory that the root has in its caches. So its slice is smaller, up to this size. As times
// as long as with even ones, 16 KiB to 256 KiB: Granite Rapids 0.79 to 0.85, 1 MiB 0.92; with two
// thirds for the root Zen 5 0.81 to 0.88 up to 32 KiB, then 1.0, but 1 MiB 1.18.
constexpr std::size_t kMostFavoured = 256 * 1024;

Slices slices_of(int processors, std::size_t bytes, std::size_t element_bytes, int root) {
  const bool favours = processors == 2 && bytes <= kMostFavoured;
  return Slices(processors, bytes, element_bytes, favours ? root : Slices::kNobody);
}

}  // namespace

void reduce_shared(Processor& self, int root, ConstBytes in, Bytes out, const Operator& op,
                   Where where) {
  const int p = self.count();
  const int me = self.id();
  const bool is_root = me == root;
  const Slices slices = slices_of(p, in.size(), op.element_bytes(), root);
  const std::size_t mine = slices.bytes(me);

  Few<Pending> lent((is_root ? 2 : 1) * (p - 1));
  int loans = 0;
  for (int step = 1; step < p; ++step) {
    const int other = (me + step) % p;
    lent[loans++] = self.lend_bytes(other, slices.of(in, other), where);
    if (is_root) lent[loans++] = self.lend_bytes(other, slices.of(out, other), where);
  }
  // Given back before what was lent is waited for, also where an exception comes by.
  Few<Borrowed> borrowed(p);
  CountedOn counted_on(self, where);
  Few<ConstBytes> lists(p);
  lists[me] = slices.of(in, me);
  Bytes result = is_root ? slices.of(out, me) : Bytes();
  for (int step = 1; step < p; ++step) {
    const int other = (me + p - step) % p;
    borrowed[step] = borrow_exactly(self, other, mine, where);
    lists[other] = borrowed[step].bytes();
    if (other != root) continue;
    borrowed[0] = borrow_exactly(self, other, mine, where);
    result = writable(borrowed[0]);
  }
  combine_lists(lists.all(), root, {&result, 1}, in.size(), op,
                is_root ? Lies::kHere : Lies::kElsewhere);
  counted_on.end();
  for (Borrowed& loan : borrowed.all()) loan.give_back();
  for (Pending& loan : lent.all()) loan.wait();
}

Cost reduce_shared_cost(int processors, std::int64_t bytes) {
  const auto all = static_cast<std::size_t>(bytes);
  const std::size_t most = slices_of(processors, all, 1, 0).most_bytes();
  if (processors == 2) return Cost::round(most) + Cost::round(all - most);
  return 2 * (processors - 1) * Cost::round(most);
}

}  // namespace postroom
