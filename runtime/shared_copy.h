// A copy that the two sides of a large message, or of a large loan, make together, part by part.
//
//   borrower                          lender
//   --------                          ------
//   open()
//   moves a word of its own     (0)   sees the word moved
//   copy_parts()                (1)   help()                 (1) each part goes to one of them
//                                       counts its parts     (2)
//   waits for complete()        (3)
//
// Of a message the receiver is the borrower and has what was lent copied into its own memory. Of
// memory that was lent to be filled it is the other way round. A lender that does not come by,
// because it is busy or shares the borrower's thread, leaves all to the borrower; it need not tell.
//
// Who may call: open, copy_parts, complete: the borrower; help: the lender, after it saw that this
// copy was opened and before it lends anew. Fields and their writers: what open sets is the
// borrower's; `next_` both move; `helped_` is the lender's, on a line of its own.
// Progress: wait-free, but for complete(), which is a matter of the one part that the lender is at.
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

/// A part, or all, by one side: into memory of its own or of the other one (runtime/copy.h).
inline void copy_alone(std::byte* to, const std::byte* from, std::size_t bytes, std::size_t whole,
                       bool into_own) noexcept {
  into_own ? copy_memory(to, from, bytes, whole) : push_memory(to, from, bytes, whole);
}

template <class Atomics = StdAtomics>
class SharedCopy {
 public:
  using Word = typename Atomics::template Atomic<std::uint32_t>;

  static constexpr std::size_t kMostPart = 128 * 1024;

  enum class Into : bool { kBorrower, kLender };

  /// Of a list of `whole` bytes (runtime/copy.h). Two halves up to twice `least_part`, then parts
  /// of at least that; of a quarter of all, but up to kMostPart.
  // Tried and lost: two halves that are fixed from the beginning, since who comes late keeps the
  // other waiting. A receiver that opens before the message is there: on cores without a common
  // cache 0.82 (64 KiB) and 0.88 (128 KiB) times as long, but as long as before where they are near
  // (Zen 5). The receiver's word (0) on the line of what open() sets: 64 KiB 0.96, but messages of
  // 1 to 2 KiB, which do not open anything, 1.07.
  void open(std::byte* to, const std::byte* from, std::size_t bytes, std::size_t whole, Into into,
            std::size_t least_part) noexcept {
    to_ = to;
    from_ = from;
    bytes_ = bytes;
    whole_ = whole;
    into_ = into;
    const std::size_t half = ceil_divide(bytes, 2 * kCacheLine) * kCacheLine;
    part_bytes_ =
        std::clamp(bytes / 4 / kCacheLine * kCacheLine, std::min(least_part, half), kMostPart);
    next_.store(0, std::memory_order_relaxed);    // relaxed: the lender looks after the word (0)
    helped_.store(0, std::memory_order_relaxed);  // relaxed: likewise
  }

  /// Copies parts until none is left; returns how many.
  std::uint32_t copy_parts() noexcept {
    std::uint32_t done = 0;
    while (copy_next(Into::kBorrower)) ++done;
    return done;
  }
  /// Whether all parts are written, `own` of which the borrower copied.
  bool complete(std::uint32_t own) const noexcept {
    return helped_.load(std::memory_order_acquire) == parts() - own;  // (3) pairs with (2)
  }

  void help() noexcept {
    for (std::uint32_t done = 1; copy_next(Into::kLender); ++done) {
      helped_.store(done, std::memory_order_release);  // (2) the part is written; pairs with (3)
    }
  }

 private:
  std::uint32_t parts() const noexcept {
    return static_cast<std::uint32_t>(ceil_divide(bytes_, part_bytes_));
  }

  bool copy_next(Into by) noexcept {
    // (1) Relaxed: it says only who copies which part.
    const std::size_t begin = next_.fetch_add(1, std::memory_order_relaxed) * part_bytes_;
    if (begin >= bytes_) return false;
    const std::size_t bytes = std::min(part_bytes_, bytes_ - begin);
    Atomics::reads(from_ + begin, bytes);
    Atomics::writes(to_ + begin, bytes);
    copy_alone(to_ + begin, from_ + begin, bytes, whole_, by == into_);
    return true;
  }

  std::byte* to_ = nullptr;
  const std::byte* from_ = nullptr;
  std::size_t bytes_ = 0;
  std::size_t whole_ = 0;
  std::size_t part_bytes_ = 1;
  Into into_ = Into::kBorrower;
  Word next_{0};
  alignas(kCacheLine) Word helped_{0};
};

static_assert(sizeof(SharedCopy<>) == 2 * kCacheLine, "what the lender counts has its own line");

}  // namespace postroom
