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
#include <cstring>

namespace postroom {

/// Up to this size a list is copied without a call.
inline constexpr std::size_t kFewBytes = 64;

/// Copies kPart … 2 kPart bytes, with stores that may overlap in the middle.
template <std::size_t kPart>
void copy_from_both_ends(std::byte* to, const std::byte* from, std::size_t bytes) noexcept {
  struct Part {
    std::byte bytes[kPart];
  };
  Part first;
  Part last;
  std::memcpy(&first, from, kPart);
  std::memcpy(&last, from + bytes - kPart, kPart);
  std::memcpy(to, &first, kPart);
  std::memcpy(to + bytes - kPart, &last, kPart);
}

/// Copies a message of some lines. No overlap. Few bytes go without a call, which would be a good
/// part of their way.
inline void copy_small(std::byte* to, const std::byte* from, std::size_t bytes) noexcept {
  if (bytes > kFewBytes) {
    std::memcpy(to, from, bytes);
  } else if (bytes > 32) {
    copy_from_both_ends<32>(to, from, bytes);
  } else if (bytes >= 16) {
    copy_from_both_ends<16>(to, from, bytes);
  } else if (bytes >= 8) {
    copy_from_both_ends<8>(to, from, bytes);
  } else if (bytes >= 4) {
    copy_from_both_ends<4>(to, from, bytes);
  } else {
    for (std::size_t i = 0; i < bytes; ++i) to[i] = from[i];
  }
}

/// From this size on lists are written past the caches.
inline constexpr std::size_t kStreamBytes = std::size_t{16} << 20;

/// Copies `bytes` bytes, a part of a list of `whole` bytes, which decides how. No overlap.
void copy_memory(std::byte* to, const std::byte* from, std::size_t bytes,
                 std::size_t whole) noexcept;

}  // namespace postroom
