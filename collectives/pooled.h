// Lists of a Pool (runtime/pool.h), of sizes that are known.
#pragma once

#include <cstddef>

#include "runtime/pool.h"
#include "runtime/processor.h"

namespace postroom {

/// What `processor` has put in to be read, or to be written. Throws SizeMismatchError when it has
/// not exactly `bytes` bytes.
ConstBytes pooled_in(const Pool& pool, int processor, std::size_t bytes, Where where);
Bytes pooled_out(const Pool& pool, int processor, std::size_t bytes, Where where);

/// Throws the same when a list of `processor` has `found` bytes, and not `bytes`.
void require_pooled_bytes(int processor, std::size_t found, std::size_t bytes, Where where);

}  // namespace postroom
