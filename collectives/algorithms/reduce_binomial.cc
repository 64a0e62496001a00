#include "collectives/algorithms/reduce_binomial.h"

#include "collectives/parts/partial.h"

namespace postroom {
namespace {

struct Range {
  int begin;
  int end;
};

/// Afterwards `leader` holds the combination of all processors of `range`; self is one of them.
void reduce_range(Processor& self, Range range, int leader, Partial& partial, Where where) {
  if (range.end - range.begin == 1) return;
  const int middle = range.begin + (range.end - range.begin) / 2;
  const Range lower{range.begin, middle};
  const Range upper{middle, range.end};
  const bool leads_lower = leader < middle;
  // The half that the leader is not in is led by its first processor.
  const int other = leads_lower ? upper.begin : lower.begin;

  const bool in_lower = self.id() < middle;
  reduce_range(self, in_lower ? lower : upper, in_lower == leads_lower ? leader : other, partial,
               where);
  if (self.id() == other) self.send_bytes(leader, partial.bytes(), where);
  if (self.id() != leader) return;
  const auto take_in = [&](ConstBytes result) {
    leads_lower ? partial.append(result) : partial.prepend(result);
  };
  self.read(other, partial.bytes().size(), take_in, where);
}

}  // namespace

void reduce_binomial(Processor& self, int root, ConstBytes in, Bytes memory, const Operator& op,
                     Where where) {
  // What a receiver waits for goes out at once.
  if (self.count() == 2 && self.id() != root) return self.send_bytes(root, in, where);
  Partial partial(self, in, memory, op);
  reduce_range(self, {0, self.count()}, root, partial, where);
  if (self.id() == root) partial.writable();  // one processor alone has not yet copied
}

Cost reduce_binomial_cost(int processors, std::int64_t bytes) {
  return doubling_rounds(processors) * Cost::round(bytes);
}

}  // namespace postroom
