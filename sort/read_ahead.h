// How far ahead those who read on and on ask for lines: 8 KiB, which is past what most CPUs fetch
// by themselves, or nothing on a CPU that reads slower where it is asked (figures: read_ahead.cc).
#pragma once

#include <cstddef>

namespace postroom::sorting {

/// 0 where reading is soonest without asking, and for those who read before main().
extern const std::size_t read_ahead_bytes;

/// Asks for the line that will be read after the one at `place`, which may lie anywhere.
inline void read_ahead_of(const std::byte* place) noexcept {
  if (read_ahead_bytes > 0) __builtin_prefetch(place + read_ahead_bytes);
}

}  // namespace postroom::sorting
