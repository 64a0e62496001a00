// Reading a message in the sender's memory when its size is known.
#pragma once

#include <cstddef>

#include "runtime/processor.h"

namespace postroom {

/// The next message of `lender`. Throws SizeMismatchError when it has not exactly `bytes` bytes.
Borrowed borrow_exactly(Processor& self, int lender, std::size_t bytes, Where where);

}  // namespace postroom
