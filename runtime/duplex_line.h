// One cache line that two processors both write, for small messages of those that answer each
// other.
//
// In a mailbox each direction has a line that its sender owns and its receiver looks at, so every
// message takes two ways: the line is fetched back from the receiver before it is written, then
// fetched by the receiver. With both directions on one line, who has fetched a message has the line
// for the answer. (What that saves: docs/eight_bytes.md.)
//
// Where both write at once they take the line away from each other. So a message goes here only
// when it is an answer: when the other side, before its last message, had taken all that this side
// had sent. Everything else goes through the rings of the mailbox (runtime/mailbox.h). Each
// message, here or there, says how many of the other direction were taken before it. From that both
// know what is an answer, and that the place is free. So a message here follows right behind those
// that have been taken, and nothing waits.
//
// Fields, their writer and their line:
//   half i     side i writes, the other one reads       both on the one line
//   end i      side i only                              a line of its own
// Who may call: the thread of the processor that the end belongs to. Progress: wait-free. Cost: one
// line moved for a message, and one looked at here by a receiver that may be answered.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "numa/cacheline.h"
#include "runtime/atomics.h"
#include "runtime/copy.h"

namespace postroom {

template <class Atomics = StdAtomics>
class DuplexLine {
 public:
  using Word = typename Atomics::template Atomic<std::uint32_t>;

  /// What fits into half a line behind its words, where any type may lie: it may be read in place.
  static constexpr std::size_t kBytes = kCacheLine / 4;

 private:
  struct Half {
    Word posted{0};           // messages here so far, modulo 2^32
    std::uint32_t bytes = 0;  // of the last one
    std::uint64_t taken = 0;  // of the other direction, here and in the ring, before the last one
    alignas(std::max_align_t) std::array<std::byte, kBytes> payload{};
  };

 public:
  /// What one of the two sends and receives with.
  class alignas(kNoSharing) End {
   public:
    // --- Sender.

    /// Whether the next message is an answer.
    bool answers() const noexcept { return others_taken_ == sent_; }
    /// Posts an answer and returns the word that the receiver may be waiting on. Preconditions:
    /// answers(), data.size() <= kBytes.
    const Word& post(std::span<const std::byte> data) noexcept {
      Atomics::writes(&own_->bytes, kGuardedBytes);
      own_->taken = said_ = taken_;
      own_->bytes = static_cast<std::uint32_t>(data.size());
      copy_small(own_->payload.data(), data.data(), data.size());
      ++sent_;
      // (1) publishes the place, which the other side has read before, as answers() has told;
      // read by the acquire-load (1). The news of Parker::wake.
      own_->posted.store(++posted_, std::memory_order_release);
      return own_->posted;
    }
    /// A message is sent through the ring: what it says of those taken.
    std::uint64_t sends_in_ring() noexcept {
      ++sent_;
      return said_ = taken_;
    }

    // --- Receiver.

    /// The word that moves with the next message here, and the value that it must reach.
    const Word& next_word() const noexcept { return others_->posted; }
    std::uint32_t next_value() const noexcept { return others_posted_ + 1; }
    /// Whether the next message may be an answer: since this side has last said what it had taken,
    /// it has taken nothing. Else there is no need to look here.
    bool may_be_answered() const noexcept { return said_ == taken_; }
    /// Whether a message is here.
    bool has_message() const noexcept {
      // (1) pairs with the store (1): the place is read after it was written.
      return reached(others_->posted.load(std::memory_order_acquire), next_value());
    }
    /// Precondition: has_message(). Valid until take().
    std::span<const std::byte> front() const noexcept {
      Atomics::reads(&others_->bytes, kGuardedBytes);
      return {others_->payload.data(), others_->bytes};
    }
    void take() noexcept {
      ++others_posted_;
      take_from_ring(others_->taken);
    }
    /// A message was taken from the ring that said so many were taken.
    void take_from_ring(std::uint64_t others_taken) noexcept {
      ++taken_;
      others_taken_ = others_taken;
    }

   private:
    friend class DuplexLine;
    static constexpr std::size_t kGuardedBytes = sizeof(Half) - offsetof(Half, bytes);

    Half* own_ = nullptr;
    const Half* others_ = nullptr;
    std::uint32_t posted_ = 0;
    std::uint32_t others_posted_ = 0;  // and taken here
    // Here and in the ring. Compared for equality, so they must not wrap around.
    std::uint64_t sent_ = 0;
    std::uint64_t taken_ = 0;
    std::uint64_t others_taken_ = 0;  // as the other side has said
    std::uint64_t said_ = 0;          // of taken_
  };

  DuplexLine() noexcept {
    for (std::size_t side = 0; side < 2; ++side) {
      ends_[side].own_ = &halves_[side];
      ends_[side].others_ = &halves_[1 - side];
    }
  }
  DuplexLine(const DuplexLine&) = delete;
  DuplexLine& operator=(const DuplexLine&) = delete;

  /// Of side 0 or 1.
  End& end(int side) noexcept { return ends_[static_cast<std::size_t>(side)]; }

 private:
  alignas(kNoSharing) std::array<Half, 2> halves_{};
  std::array<End, 2> ends_{};

  static_assert(2 * sizeof(Half) == kCacheLine || !std::is_same_v<Atomics, StdAtomics>,
                "both halves are on one cache line");
};

}  // namespace postroom
