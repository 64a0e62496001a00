// The atomics that the runtime's lock-free structures are built on, as a policy.
//
// Mailbox, Parker and the rest take them as a template parameter. What ships uses StdAtomics; the
// tests put in atomics that explore interleavings and check every access to plain memory
// (tests/interleave). What a wait does between two looks is a part of the policy.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <thread>

#include "runtime/asymmetric_fence.h"

namespace postroom {

/// One step of a spin loop: tells the core that it waits.
inline void pause() noexcept {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("isb");
#endif
}

struct StdAtomics {
  template <class T>
  using Atomic = std::atomic<T>;
  using Mutex = std::mutex;
  using Condition = std::condition_variable;

  /// See runtime/asymmetric_fence.h.
  static void light_fence() noexcept { postroom::light_fence(); }
  static void heavy_fence() noexcept { postroom::heavy_fence(); }

  static void pause() noexcept { postroom::pause(); }
  static void yield() noexcept { std::this_thread::yield(); }
  static std::int64_t now_ns() noexcept {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
  }

  /// Called before plain memory that an atomic guards is read or written; here they do nothing.
  static void reads(const void*, std::size_t) noexcept {}
  static void writes(void*, std::size_t) noexcept {}
};

/// Whether a counter that wraps around has come to `target` or gone past it (by less than 2^31).
inline bool reached(std::uint32_t counter, std::uint32_t target) noexcept {
  return static_cast<std::int32_t>(counter - target) >= 0;
}

}  // namespace postroom
