// Where one thread sleeps until another one has news for it.
//
//   sleeper                                 waker
//   -------                                 -----
//   prepare(): parked = 1          (1)      word = news (a release of its own)
//              heavy fence                  wake(): light fence
//   checks what it waits for                        parked == 0 ?         (3)
//   park(): sleeps while parked == 1                parked = 0, notify    (4)
//
// Both sides store first and load afterwards, with the fences of runtime/asymmetric_fence.h in
// between. So either the check sees the news, and the sleeper does not sleep, or (3) sees the 1,
// and the waker wakes it. There is no third case, hence no lost wake-up. It is the sleeper, who has
// waited for long already, that pays for the fence, and not every message.
//
// A sleep with an end, park_until, is announced by a 2 in place of the 1 and happens under a lock.
// The waker that takes the 2 away takes that lock before it notifies: either the sleeper sees under
// the lock that the 2 is gone, or it has gone to sleep before the notification. Its first half is
// the one above.
//
// Parkers can belong to a group that counts its sleepers: who has news for all of them looks at
// that one line. The count is a second 1 of the same kind, announced before (1), taken back after.
//
// Who may call: prepare, cancel, park, park_until: the thread that owns the parker. wake, any:
// anyone. Cost: wake() and any() without a sleeper are one load of a line that rarely changes;
// prepare() some microseconds.
// Progress: wake is wait-free, but for the lock of a sleep with an end; park blocks.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>

#include "numa/cacheline.h"
#include "runtime/atomics.h"

namespace postroom {

template <class Atomics>
class Parker;

/// How many of a group of parkers sleep or are about to.
template <class Atomics = StdAtomics>
class alignas(kNoSharing) Sleepers {
 public:
  /// Whether one of them may have to be woken. Precondition: the news was stored before.
  bool any() const noexcept {
    Atomics::light_fence();
    return count_.load(std::memory_order_relaxed) != 0;  // (3) as in Parker::wake
  }

 private:
  friend class Parker<Atomics>;
  typename Atomics::template Atomic<std::uint32_t> count_{0};
};

static_assert(sizeof(Sleepers<>) == kNoSharing, "the count has a line of its own");

template <class Atomics = StdAtomics>
class alignas(kNoSharing) Parker {
 public:
  Parker() = default;
  /// One of a group, which outlives it.
  explicit Parker(Sleepers<Atomics>& group) noexcept : group_(&group) {}

  /// Announces the sleep. To be followed by a look at whatever is waited for, then by park or
  /// cancel.
  void prepare() noexcept {
    // Relaxed: as (1).
    if (group_ != nullptr) group_->count_.fetch_add(1, std::memory_order_relaxed);
    // (1) Relaxed: the fence brings it before the look that follows; seen by (3).
    parked_.store(1, std::memory_order_relaxed);
    Atomics::heavy_fence();
  }

  /// Takes the announcement back.
  void cancel() noexcept {
    // Relaxed: a waker that still sees 1 only notifies in vain.
    parked_.store(0, std::memory_order_relaxed);
    // Relaxed: in vain likewise.
    if (group_ != nullptr) group_->count_.fetch_sub(1, std::memory_order_relaxed);
  }

  /// Sleeps until somebody calls wake() after the prepare(). May return for no reason.
  void park() noexcept {
    parked_.wait(1, std::memory_order_acquire);  // (5) pairs with the exchange (4)
    cancel();
  }

  /// Like park, but sleeps no longer than until `end`.
  void park_until(std::chrono::steady_clock::time_point end) {
    std::unique_lock lock(mutex_);
    std::uint32_t announced = kParked;
    // (6) The announcement stands since (1), this only says how. Fails when a waker came; then it
    // pairs with its exchange (4).
    if (!parked_.compare_exchange_strong(announced, kParkedUntil, std::memory_order_acquire)) {
      return cancel();
    }
    // (6) pairs with the exchange (4), as (5) does.
    const auto woken = [this] { return parked_.load(std::memory_order_acquire) == 0; };
    alarm_.wait_until(lock, end, woken);
    cancel();
  }

  /// Wakes the owner if it sleeps or is about to. Precondition: the news was stored before.
  void wake() noexcept {
    Atomics::light_fence();
    // (3) Relaxed: the fence brings it after the news; sees (1).
    if (parked_.load(std::memory_order_relaxed) == 0) return;
    // (4) The exchange makes one of several wakers pay for the notification; pairs with (5), (6).
    // seq_cst: notify_one() may look first whether anybody waits, which must not come before it.
    const std::uint32_t was = parked_.exchange(0, std::memory_order_seq_cst);
    if (was == kParked) parked_.notify_one();
    if (was == kParkedUntil) {
      { const std::lock_guard asleep(mutex_); }
      alarm_.notify_one();
    }
  }

 private:
  static constexpr std::uint32_t kParked = 1;
  static constexpr std::uint32_t kParkedUntil = 2;

  typename Atomics::template Atomic<std::uint32_t> parked_{0};
  Sleepers<Atomics>* const group_ = nullptr;
  typename Atomics::Mutex mutex_;  // held around a sleep with an end
  typename Atomics::Condition alarm_;
};

static_assert(sizeof(Parker<>) == kNoSharing, "a parker has a line of its own, which all look at");

}  // namespace postroom
