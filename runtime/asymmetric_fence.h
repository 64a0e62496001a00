// Two fences that order together what two threads do to each other, one of them for nothing.
//
//   often                              seldom
//   -----                              ------
//   A = 1  (any order)                 B = 1  (any order)
//   light_fence()                      heavy_fence()
//   reads B                            reads A
//
// At least one of the two reads sees the other's 1, as if both sides had a seq_cst fence. The light
// one only keeps the compiler from moving anything across it. The heavy one makes every running
// thread of the process execute a full fence between its call and its return (Linux: membarrier):
// one that comes after a light fence's reads has let its A be seen, one that comes before lets B be
// seen by the reads.
//
// Cost: light_fence nothing, where a full fence waits until all earlier stores have reached their
// cache lines, tens of nanoseconds when another core holds these; heavy_fence some microseconds and
// an interruption of the other cores. Where the kernel refuses, both are full fences.
#pragma once

#include <atomic>

namespace postroom {

/// Asks the kernel, before other objects of the program are initialized: they may have threads.
struct FenceSupport {
  FenceSupport() noexcept;
  bool is_asymmetric;  ///< the heavy fence reaches all threads
};
extern const FenceSupport fence_support;

/// A full fence of the thread that calls it.
void full_fence() noexcept;

inline void light_fence() noexcept {
  if (fence_support.is_asymmetric) [[likely]] {
    std::atomic_signal_fence(std::memory_order_seq_cst);  // (1) pairs with heavy_fence (1)
  } else {
    full_fence();
  }
}

void heavy_fence() noexcept;

}  // namespace postroom
