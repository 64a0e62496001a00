// Calls that work on a Pool (runtime/pool.h), with lists of sizes that are known.
#pragma once

#include <cstddef>
#include <cstdint>

#include "collectives/parts/arguments.h"
#include "runtime/pool.h"
#include "runtime/processor.h"

namespace postroom {

/// A call for which each puts in at most so many bytes to be read, copied where they are few.
inline Pool::Call call_with(const Processor& self, const char* name, std::size_t most_bytes) {
  return {name, kNoRoot, most_bytes < self.hand_limits().pooled};
}

/// Processor::together; std::invalid_argument where these processors cannot.
template <class Work>
void together(Processor& self, Pool::Call call, const Pool::Lists& own, const Work& work,
              Where where) {
  if (!self.takes_turns()) [[unlikely]] {
    throw_shares_no_threads(call.name, "turns");
  }
  self.together(call, own, work, where);
}

/// Whether lists of so many bytes are copied then, on a box of one node.
bool copies_when_put_in(int processors, int threads, std::int64_t bytes);

/// What `processor` has put in to be read, or to be written. Throws SizeMismatchError when it has
/// not exactly `bytes` bytes.
ConstBytes pooled_in(const Pool& pool, int processor, std::size_t bytes, Where where);
Bytes pooled_out(const Pool& pool, int processor, std::size_t bytes, Where where);

/// Throws SizeMismatchError when the list of `processor` in `operation` has `found` bytes, and not
/// `bytes`.
void require_listed_bytes(const char* operation, int processor, std::size_t found,
                          std::size_t bytes, Where where);
/// The same of the call that all have come with.
void require_pooled_bytes(const Pool& pool, int processor, std::size_t found, std::size_t bytes,
                          Where where);

}  // namespace postroom
