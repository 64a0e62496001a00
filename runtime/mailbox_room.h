// Whether there is memory for yet another mailbox, asked now and then.
//
// Each pair of processors that talks takes some memory, and how many will talk nobody knows when a
// machine starts: an alltoall of 10,000 processors needs 100,000,000 pairs. Where memory ends, the
// system would end some process. So the machine stops before, with the number of pairs.
//
// Source: our own. Who may call: any thread. Cost: an addition; in kPairsPerLook calls once
// available_memory_bytes() (numa/available_memory.h). Errors: those of take().
//
//   room.take();   // before a mailbox is made
#pragma once

#include <atomic>
#include <cstdint>

#include "numa/available_memory.h"

namespace postroom {

class MailboxRoom {
 public:
  /// What a pair takes: a mailbox with its ring, and what its two sides know of each other; and
  /// what it may come to take besides, as long as there is a loan.
  static constexpr std::uint64_t kBytesOfPair = 1280;
  static constexpr std::uint64_t kBytesOfLoan = 512;
  static constexpr std::uint64_t kPairsPerLook = 4096;

  using Look = std::uint64_t (*)();
  explicit MailboxRoom(Look look = [] { return available_memory_bytes(); }) : look_(look) {}

  /// For one pair more. Throws std::runtime_error where there is too little for another
  /// kPairsPerLook of them, and for a loan of each; from then on always, because processors that
  /// wait for nothing do not see at once that the machine stops.
  void take() {
    // Relaxed: only the number counts, nothing is read on the strength of it.
    const std::uint64_t pairs = pairs_.fetch_add(1, std::memory_order_relaxed) + 1;
    // Relaxed: whoever sees it late takes one more.
    const bool is_full = is_full_.load(std::memory_order_relaxed);
    if (is_full || pairs % kPairsPerLook == 0) [[unlikely]]
      check(pairs, is_full);
  }
  /// All are given back. Between runs only.
  void clear() noexcept {
    pairs_.store(0, std::memory_order_relaxed);        // relaxed: the start of a run publishes it
    is_full_.store(false, std::memory_order_relaxed);  // relaxed, likewise
  }

 private:
  void check(std::uint64_t pairs, bool is_full);

  Look look_;
  std::atomic<std::uint64_t> pairs_{0};
  std::atomic<bool> is_full_{false};
};

}  // namespace postroom
