// How long rows are read from memory.
//
// By strips: some CPUs fetch ahead for several places at once, and more than for one. And lines are
// asked for 8 KiB ahead, which is past what most CPUs fetch by themselves, but on a CPU that reads
// slower where it is asked (figures: read_ahead.cc).
#pragma once

#include <cstddef>

#include "numa/prefetch.h"

namespace postroom::sorting {

/// How a row is read: from begin to end, or in so many strips in turn, which takes longer where
/// they are in a cache.
enum class Reading { kOnAndOn, kByStrips };
inline constexpr std::size_t kReadStrips = 8;

/// How bare keys, and records that are turned round as they are read, come from memory soonest.
extern const Reading key_reading;

/// 0 where reading is soonest without asking, and for those who read before main().
extern const std::size_t read_ahead_bytes;

/// Up to so many bytes one processor reads sooner than several, of which all but one have to be
/// woken. 0, too, for those who read before main(): then several do.
extern const std::size_t read_alone_bytes;

/// Asks for the line that will be read after the one at `place`, which may lie anywhere.
inline void read_ahead_of(const std::byte* place) noexcept {
  if (read_ahead_bytes > 0) prefetch_to_read(place + read_ahead_bytes);
}

}  // namespace postroom::sorting
