// Copying memory between processors, in the way that is fastest on this CPU.
//
// The way depends on how large the whole list is (some lines, some pages, more than the caches
// hold) and on whose caches have the target: copy_memory() writes into memory of this processor,
// push_memory() into memory that another one has in its caches. copy.cc says which way is taken
// where, and why.
//
// Cost: one pass. Memory: what was written is there for others like any other store, once this
// processor stores or exchanges an atomic. (There is a fence at the end of each copy past the
// caches.)
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

/// From this size on lists are written past the caches. They would not stay there anyway, and a
/// store to a line that is not in the cache first reads it: a third of the traffic.
inline constexpr std::size_t kStreamBytes = std::size_t{16} << 20;

/// The ways to copy. `kLines`: line by line. `kMoves`: `rep movsb`. `kStreams`: past the caches.
enum class Copying { kLibrary, kLines, kMoves, kStreams };

/// What is best on this CPU for `bytes` bytes, a part of a list of `whole` bytes, into memory of
/// this processor; into memory that another one has in its caches.
Copying best_copying(std::size_t bytes, std::size_t whole) noexcept;
Copying best_pushing(std::size_t bytes, std::size_t whole) noexcept;

/// Whether to write lists of some pages into memory that another processor has in its caches takes
/// several times as long as to read them from there. From kPushStreamBytes on it does not.
bool pushes_slowly() noexcept;
inline constexpr std::size_t kPushStreamBytes = std::size_t{256} << 10;

/// Copies `bytes` bytes in this way. No overlap.
void copy_memory_by(Copying copying, std::byte* to, const std::byte* from,
                    std::size_t bytes) noexcept;

/// Copies `bytes` bytes, a part of a list of `whole` bytes, in the best way. No overlap.
inline void copy_memory(std::byte* to, const std::byte* from, std::size_t bytes,
                        std::size_t whole) noexcept {
  copy_memory_by(best_copying(bytes, whole), to, from, bytes);
}
/// The same into memory that another processor has in its caches.
inline void push_memory(std::byte* to, const std::byte* from, std::size_t bytes,
                        std::size_t whole) noexcept {
  copy_memory_by(best_pushing(bytes, whole), to, from, bytes);
}

}  // namespace postroom
