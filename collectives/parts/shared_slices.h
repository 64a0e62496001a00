// A slice of the lists of all processors, for the time that one of them works on it in shared
// memory.
//
// Each processor lends to each other one, as one message, the slice of its `in` that the other
// reads and the slice of its `out` that the other writes. finish() gives back what was borrowed and
// waits until the own lists have come back; then `out` is complete. Nobody else reads or writes a
// slice meanwhile, so `in` and `out` may be one and the same.
//
// Called by all processors, with lists of one size. Cost: p - 1 loans for each, of two slices at
// most. Where a processor fails, the others wait until nobody touches its memory, as with any
// message.
//
//   SharedSlices slices(self, in, out, op.element_bytes(), where);
//   op.combine(slices.in(0), slices.in(1), slices.out(1));
//   slices.finish();
#pragma once

#include <cstddef>
#include <cstdint>

#include "collectives/models/cost.h"
#include "collectives/parts/counted_on.h"
#include "collectives/parts/few.h"
#include "collectives/parts/slices.h"
#include "runtime/processor.h"

namespace postroom {

class SharedSlices {
 public:
  SharedSlices(Processor& self, ConstBytes in, Bytes out, std::size_t element_bytes, Where where);

  /// Of the list of `processor`; all have the same size.
  ConstBytes in(int processor) noexcept { return in_[processor]; }
  Bytes out(int processor) noexcept { return out_[processor]; }
  std::size_t bytes() const noexcept { return bytes_; }

  void finish();

 private:
  std::size_t bytes_;
  Few<ConstBytes> in_;
  Few<Bytes> out_;
  Few<Pending> lent_;
  Few<Borrowed> borrowed_;  // given back before that, also where an exception comes by
  CountedOn counted_on_;    // the last member
};

/// For elements of which whole numbers fit into a line of the cache; other slices can be larger by
/// an element.
Cost shared_slices_cost(int processors, std::int64_t bytes);

}  // namespace postroom
