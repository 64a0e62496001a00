// Copying memory, past the caches where that is faster.
//
// A store to a line that is not in the cache first reads it. Copies of lists that do not stay in
// the caches anyway are therefore written past them, which saves that third of the traffic.
//
// Cost: one pass. Memory: what was written is there for others like any other store, once this
// processor stores or exchanges an atomic (there is a fence at the end of each such copy).
//
//   copy_memory(to, from, bytes, bytes);
#pragma once

#include <cstddef>

namespace postroom {

/// From this size on lists are written past the caches.
inline constexpr std::size_t kStreamBytes = std::size_t{8} << 20;

/// Copies `bytes` bytes, a part of a list of `whole` bytes, which decides how. No overlap.
void copy_memory(std::byte* to, const std::byte* from, std::size_t bytes,
                 std::size_t whole) noexcept;

}  // namespace postroom
