// That one thread at a time is at work: a lock that a forked child can tell from one of its own.
//
// A child finds it locked where some thread was at work when it was forked off. That thread is not
// there to unlock it, unless it is the one that forked. So whoever might find such a lock asks
// first, and does without.
//
// Who may call: any thread; unlock: who has locked it. lock only where it is not is_inherited().
// Cost: a read-modify-write to lock, another one to unlock; who waits sleeps in the system after a
// short while.
#pragma once

#include <atomic>
#include <cstdint>

#include "runtime/atomics.h"
#include "runtime/forks.h"

namespace postroom {

template <class Atomics = StdAtomics>
class Turn {
 public:
  /// False where it is inherited, too.
  bool try_lock() noexcept { return try_lock_from(kNobody); }
  /// As try_lock, and also where it is inherited: for what a child begins anew.
  bool try_lock_anew() noexcept {
    // Relaxed: only compared.
    const std::uint32_t holder = holder_.load(std::memory_order_relaxed);
    return holder != self() && try_lock_from(holder);
  }
  void lock() noexcept {
    while (!try_lock()) {
      holder_.wait(self(), std::memory_order_relaxed);  // relaxed: (1) comes after it
    }
  }
  void unlock() noexcept {
    // (2) what was done, for (1); and before the look whether anybody sleeps.
    holder_.store(kNobody, std::memory_order_seq_cst);
    holder_.notify_one();
  }
  /// Whether somebody is at work, which may have changed when the answer is there.
  bool is_locked() const noexcept {
    return holder_.load(std::memory_order_relaxed) != kNobody;  // relaxed: nothing is read after it
  }
  /// Whether it is locked since before this process was forked off.
  bool is_inherited() const noexcept {
    // Relaxed: a lock of that kind is older than this process, and there are no new ones.
    const std::uint32_t holder = holder_.load(std::memory_order_relaxed);
    return holder != kNobody && holder != self();
  }

 private:
  static constexpr std::uint32_t kNobody = 0;
  static std::uint32_t self() noexcept { return forks() + 1; }

  bool try_lock_from(std::uint32_t holder) noexcept {
    // (1) sees what the last one at work did; pairs with (2). Relaxed where it fails: nothing is
    // read.
    return holder_.compare_exchange_strong(holder, self(), std::memory_order_acquire,
                                           std::memory_order_relaxed);
  }

  typename Atomics::template Atomic<std::uint32_t> holder_{
      kNobody};  // by the forks() of its process
};

}  // namespace postroom
