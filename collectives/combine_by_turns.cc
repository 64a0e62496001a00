// The reductions of collectives/by_turns.h.
#include <cstddef>

#include "collectives/by_turns.h"
#include "collectives/combine_lists.h"
#include "collectives/few.h"
#include "collectives/pooled.h"
#include "collectives/slices.h"

namespace postroom {
namespace {

// Up to this size each thread of an allreduce combines for its own processors: to combine twice
// costs less than to write into the other core's lines.
constexpr std::size_t kEachBytes = 4096;
bool in_place(const Pool& pool) {
  for (int p = 0; p < pool.processors(); ++p) {
    if (pool.in(p).data() == pool.out(p).data()) return true;
  }
  return false;
}

/// Combines slice `part` of all lists and writes it to the lists of `results`, the first of which
/// may be that of processor `pivot`.
void combine_slice(const Pool& pool, const Slices& slices, int part, std::size_t bytes, int pivot,
                   std::span<Bytes> results, const Operator& op, Where where) {
  if (slices.bytes(part) == 0) return;
  Few<ConstBytes> lists(pool.processors());
  for (int p = 0; p < pool.processors(); ++p) {
    lists[p] = slices.of(pooled_in(pool, p, bytes, where), part);
  }
  for (Bytes& result : results) result = slices.of(result, part);
  combine_lists(lists.all(), pivot, results, bytes, op);
}

}  // namespace

void reduce_by_turns(Processor& self, int root, ConstBytes in, Bytes out, const Operator& op,
                     Where where) {
  const auto combine = [&](const Pool& pool) {
    Bytes result = pooled_out(pool, root, in.size(), where);
    const Slices slices(pool.parts(), in.size(), op.element_bytes());
    combine_slice(pool, slices, pool.part(), in.size(), root, {&result, 1}, op, where);
  };
  self.together({"reduce", root}, {in, self.id() == root ? out : Bytes()}, combine, where);
}

void allreduce_by_turns(Processor& self, ConstBytes in, Bytes out, const Operator& op,
                        Where where) {
  const auto combine = [&](const Pool& pool) {
    // A list that is its own result may be read by others to the end.
    const bool each = in.size() <= kEachBytes && !in_place(pool);
    const int first = each ? pool.first() : 0;
    const int last = each ? pool.last() : pool.processors();
    Few<Bytes> results(last - first);
    for (int p = first; p < last; ++p) results[p - first] = pooled_out(pool, p, in.size(), where);
    const Slices slices(each ? 1 : pool.parts(), in.size(), op.element_bytes());
    // From processor 0 on at all threads: they come to the same result to the last bit.
    combine_slice(pool, slices, each ? 0 : pool.part(), in.size(), 0, results.all(), op, where);
  };
  self.together({"allreduce"}, {in, out}, combine, where);
}

}  // namespace postroom
