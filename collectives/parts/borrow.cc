#include "collectives/parts/borrow.h"

#include "runtime/errors.h"

namespace postroom {

Borrowed borrow_exactly(Processor& self, int lender, std::size_t bytes, Where where) {
  Borrowed borrowed = self.borrow_bytes(lender, where);
  if (borrowed.bytes().size() == bytes) return borrowed;
  self.stop_unwound(where);  // before it is given back: see counted_on.h
  throw_size_mismatch(self.operation(), "borrow", lender, borrowed.bytes().size(), bytes, where);
}

Borrowed borrow_both_exactly(Processor& self, int lender, std::size_t bytes, Where where) {
  Borrowed borrowed = borrow_exactly(self, lender, bytes, where);
  if (borrowed.place().size() == bytes) return borrowed;
  self.stop_unwound(where);
  throw_size_mismatch(self.operation(), "borrow a place", lender, borrowed.place().size(), bytes,
                      where);
}

}  // namespace postroom
