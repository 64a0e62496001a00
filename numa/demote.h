// Giving a line of memory away after it was written.
//
// What a core has just written lies in its first cache, and on Intel's CPUs another core takes
// about 6 ns for each line that it reads from there, however many are under way: 4 KiB come at 9
// GB/s, 32 KiB at 11. From the third cache, to which a demoted line goes, they come at 25 and 31
// (Granite Rapids, benchmarks/messages/lists.cc). The core that gives a line away takes as long for
// it as the other one for reading it, so this is for who has nothing else to do meanwhile, and for
// few lines.
#pragma once

#include <cstddef>

#include "numa/cacheline.h"

namespace postroom {

/// Moves the lines of `bytes` bytes from `place` on, which begins one, out of this core's caches,
/// as far as they are there. Others see no difference but in time; CPUs that do not know of it do
/// nothing.
inline void demote_lines([[maybe_unused]] const std::byte* place,
                         [[maybe_unused]] std::size_t bytes) noexcept {
#ifdef __x86_64__
  for (std::size_t i = 0; i < bytes; i += kCacheLine) {
    // NOLINTNEXTLINE(hicpp-no-assembler): the intrinsic is for those who compile for such a CPU
    asm volatile("cldemote %0" : : "m"(place[i]) : "memory");
  }
#endif
}

}  // namespace postroom
