// Using memory of another processor, whose size is known, in place.
#pragma once

#include <cstddef>

#include "runtime/processor.h"

namespace postroom {

/// The next message of `lender`. Throws SizeMismatchError when it has not exactly `bytes` bytes.
Borrowed borrow_exactly(Processor& self, int lender, std::size_t bytes, Where where);

/// The same for two lists, Processor::lend_both_bytes, of `bytes` bytes each.
Borrowed borrow_both_exactly(Processor& self, int lender, std::size_t bytes, Where where);

/// Memory that was lent to be written. Precondition: the lender says so, and may write it himself.
inline Bytes writable(const Borrowed& place) noexcept {
  return {const_cast<std::byte*>(place.bytes().data()), place.bytes().size()};
}

}  // namespace postroom
