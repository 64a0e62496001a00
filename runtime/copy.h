// Copying memory between processors: lists of some lines, lists of some pages, lists larger than
// the caches.
//
// From a page on the library's memcpy uses `rep movsb` on CPUs that say that it is fast. On AMD Zen
// 3 it is slow when source and target begin at nearly the same place in their pages, as large
// arrays nearly always do: alltoall of 64 KB blocks on two processors took 40 µs, and takes 10 with
// the loop over whole lines that is used there instead. On Zen 5 it is the best there is for what
// another core has written: 64 KiB take 0.8 times as long as in that loop, 1 MiB 0.82 times, 8 KiB
// as long. And it need not read the lines that it writes: into memory that another core has, 64 KiB
// take 0.4 times as long as in the loop, and 0.25 times where the cores are far from each other; as
// long as in the other direction. Tried and lost there: vectors of 64 bytes, two to eight streams
// side by side, asking for lines or for blocks ahead (0.99 to 1.2 times as long as the loop).
//
// On Zen 4 `rep movsb` is no better than the loop, and lines that another core has read are slow to
// write in any way but past the caches: 64 KiB take 9.8 µs where the cores are near, 29 where they
// are far from each other, while reading as much takes 1.8 and 4.7. Past the caches it is 2.7 and
// 2.8; but whoever reads them then finds them in memory, so that with that reading it is 7.3 where
// the loop takes 12.6 and the other one's own read from here 5.2 to 5.9. So lists of some pages are
// read there rather than written (pushes_slowly), large ones are written past the caches.
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
