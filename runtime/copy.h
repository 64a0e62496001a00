// Copying memory between processors: lists of some lines, lists of some pages, lists larger than
// the caches.
//
// From a page on the library's memcpy uses `rep movsb` on CPUs that say that it is fast. On AMD Zen
// 3 it is slow when source and target begin at nearly the same place in their pages, as large
// arrays nearly always do: alltoall of 64 KB blocks on two processors took 40 µs, and takes 10 with
// the loop over whole lines that is used here instead.
//
// A store to a line that is not in the cache first reads it. Lists that do not stay in the caches
// anyway are therefore written past them, which saves that third of the traffic.
//
// Cost: one pass. Memory: what was written is there for others like any other store, once this
// processor stores or exchanges an atomic (there is a fence at the end of each copy past the
// caches).
//
//   copy_memory(to, from, bytes, bytes);
#pragma once

#include <cstddef>

namespace postroom {

/// From this size on lists are written past the caches.
inline constexpr std::size_t kStreamBytes = std::size_t{16} << 20;

/// Copies `bytes` bytes, a part of a list of `whole` bytes, which decides how. No overlap.
void copy_memory(std::byte* to, const std::byte* from, std::size_t bytes,
                 std::size_t whole) noexcept;

}  // namespace postroom
