// Whether a processor takes part in a run, and whom it waits for while its program is unwound: what
// decides that memory which it lent is no longer read (mailbox_processor.h, "A loan and an
// exception").
//
// Fields, their writer and their line: both are written by the processor that they are about, once
// or twice in a run, and lie where others look; `state_` also by whoever stops the machine, once.
//
// Who may call: has_left, stop: any thread; enter: whoever starts the run; the rest: the processor
// itself. Progress: wait-free but for withdraw, which ends as every borrower gives back or leaves.
#pragma once

#include <atomic>

#include "runtime/atomics.h"

namespace postroom {

template <class Atomics = StdAtomics>
class Presence {
 public:
  /// Before any processor starts a run: has_left() of the last one no longer counts.
  void enter() noexcept {
    // Relaxed: the start of the run orders it before whatever the processors do.
    state_.store(kTakesPart, std::memory_order_relaxed);
  }
  /// From here on this processor takes no message in this run.
  void leave() noexcept {
    state_.store(kLeft, std::memory_order_release);  // (1) after the last take(); pairs with (1)
  }
  /// The machine stops: this processor is to leave as soon as it looks.
  void stop() noexcept {
    int as_it_was = kTakesPart;
    // (2) With what stopped the machine; pairs with (2). Where it has left, that stays.
    state_.compare_exchange_strong(as_it_was, kStopped, std::memory_order_release,
                                   std::memory_order_relaxed);
  }
  bool takes_part() const noexcept {
    return state_.load(std::memory_order_acquire) == kTakesPart;  // (2) pairs with (2) in stop()
  }
  /// Whether this processor will take no more messages in this run. Who sees it sees what it took.
  bool has_left() const noexcept {
    return state_.load(std::memory_order_acquire) == kLeft;  // (1) pairs with (1) in leave()
  }

  /// In an unwound program of processor `me` of `count`: until `borrower` will read no more of what
  /// it was lent. `of(i)` is the presence of processor i. `lent` says whether the loan was
  /// returned(), and whether its message was taken(); gives back what `me` has borrowed itself
  /// (give_all_back()); and lets others go on (rest()).
  template <class Of, class Lent>
  void withdraw(int me, int borrower, int count, const Of& of, const Lent& lent) noexcept {
    // Relaxed, as where it is read: who sees it late looks again.
    withdraws_from_.store(borrower, std::memory_order_relaxed);
    while (!lent.returned()) {
      if (of(borrower).has_left() && !lent.taken()) break;
      if (is_waited_for(me, borrower, count, of)) lent.give_all_back();
      lent.rest();
    }
    withdraws_from_.store(kNobody, std::memory_order_relaxed);  // relaxed: as above
  }

 private:
  static constexpr int kNobody = -1;
  static constexpr int kTakesPart = 0;
  static constexpr int kStopped = 1;
  static constexpr int kLeft = 2;

  /// Whether `processor`, who withdraws, waits for `me`, by way of others perhaps.
  template <class Of>
  static bool is_waited_for(int me, int processor, int count, const Of& of) noexcept {
    for (int steps = 0; steps < count; ++steps) {
      // Relaxed: see withdraw().
      processor = of(processor).withdraws_from_.load(std::memory_order_relaxed);
      if (processor == kNobody || processor == me) return processor == me;
    }
    return false;  // a circle of others, who will see it
  }

  typename Atomics::template Atomic<int> state_{kTakesPart};
  typename Atomics::template Atomic<int> withdraws_from_{kNobody};
};

}  // namespace postroom
