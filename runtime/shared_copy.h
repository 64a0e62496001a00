// A copy that the two sides of a large message make together, part by part.
//
//   receiver                          sender
//   --------                          ------
//   open()
//   moves a word of its own     (0)   sees the word moved
//   copy_parts()                (1)   help()                 (1) each part goes to one of them
//                                       counts its parts     (2)
//   waits for complete()        (3)
//
// A sender that does not come by, because it is busy or shares the receiver's thread, leaves all to
// the receiver; it need not tell.
//
// Who may call: open, copy_parts, complete: the receiver; help: the sender, after it saw that this
// copy was opened and before it posts its next message. Fields and their writers: what open sets is
// the receiver's; `next_` both move; `helped_` is the sender's, on a line of its own.
// Progress: wait-free, but for complete(), which is a matter of the one part that the sender is at.
// Cost: an exchange of the line of `next_` for each part.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "numa/cacheline.h"
#include "numa/rounding.h"
#include "runtime/atomics.h"
#include "runtime/copy.h"

namespace postroom {

template <class Atomics = StdAtomics>
class SharedCopy {
 public:
  using Word = typename Atomics::template Atomic<std::uint32_t>;

  /// Two halves up to twice kLeastPart, then parts of at least that; of a quarter of the whole, but
  /// up to kMostPart.
  // Tried and lost: two halves that are fixed from the beginning, since who comes late keeps the
  // other waiting. Smaller parts: with cores that share no third cache, 128 KiB in 16 parts took
  // 1.35 times as long as in two, and 64 KiB in eight 1.3 times as long as in two; on near cores
  // (Zen 5) 64 KiB in four 1.2 times, 128 KiB in four 1.1 times. A receiver that opens before the
  // message is there: on cores without a common cache 0.82 (64 KiB) and 0.88 times as long, but as
  // long as before where they are near. The receiver's word (0) on the line of what open() sets:
  // 64 KiB 0.96, but messages of 1 to 2 KiB, which do not open anything, 1.07.
  static constexpr std::size_t kLeastPart = 64 * 1024;
  static constexpr std::size_t kMostPart = 128 * 1024;

  void open(std::byte* to, const std::byte* from, std::size_t bytes,
            std::size_t least_part = kLeastPart) noexcept {
    to_ = to;
    from_ = from;
    bytes_ = bytes;
    const std::size_t half = ceil_divide(bytes, 2 * kCacheLine) * kCacheLine;
    part_bytes_ =
        std::clamp(bytes / 4 / kCacheLine * kCacheLine, std::min(least_part, half), kMostPart);
    next_.store(0, std::memory_order_relaxed);    // relaxed: the sender looks after the word (0)
    helped_.store(0, std::memory_order_relaxed);  // relaxed: likewise
  }

  /// Copies parts until none is left; returns how many.
  std::uint32_t copy_parts() noexcept {
    std::uint32_t done = 0;
    while (copy_next(copy_memory)) ++done;
    return done;
  }
  /// Whether all parts are written, `own` of which the receiver copied.
  bool complete(std::uint32_t own) const noexcept {
    return helped_.load(std::memory_order_acquire) == parts() - own;  // (3) pairs with (2)
  }

  void help() noexcept {
    for (std::uint32_t done = 1; copy_next(push_memory); ++done) {
      helped_.store(done, std::memory_order_release);  // (2) the part is written; pairs with (3)
    }
  }

 private:
  std::uint32_t parts() const noexcept {
    return static_cast<std::uint32_t>(ceil_divide(bytes_, part_bytes_));
  }

  template <class Copy>
  bool copy_next(Copy copy) noexcept {
    // (1) Relaxed: it says only who copies which part.
    const std::size_t begin = next_.fetch_add(1, std::memory_order_relaxed) * part_bytes_;
    if (begin >= bytes_) return false;
    const std::size_t bytes = std::min(part_bytes_, bytes_ - begin);
    Atomics::reads(from_ + begin, bytes);
    Atomics::writes(to_ + begin, bytes);
    copy(to_ + begin, from_ + begin, bytes, bytes_);
    return true;
  }

  std::byte* to_ = nullptr;
  const std::byte* from_ = nullptr;
  std::size_t bytes_ = 0;
  std::size_t part_bytes_ = 1;
  Word next_{0};
  alignas(kCacheLine) Word helped_{0};
};

static_assert(sizeof(SharedCopy<>) == 2 * kCacheLine, "what the sender counts has its own line");

}  // namespace postroom
