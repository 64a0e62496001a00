#include "collectives/borrow.h"

#include <string>

#include "runtime/errors.h"

namespace postroom {

Borrowed borrow_exactly(Processor& self, int lender, std::size_t bytes, Where where) {
  Borrowed borrowed = self.borrow_bytes(lender, where);
  if (borrowed.bytes().size() == bytes) return borrowed;
  throw SizeMismatchError("borrow from processor " + std::to_string(lender) + ": the message has " +
                          std::to_string(borrowed.bytes().size()) + " bytes, but " +
                          std::to_string(bytes) + " are needed (" + where.file_name() + ":" +
                          std::to_string(where.line()) + ")");
}

}  // namespace postroom
