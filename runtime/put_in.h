// Copies of small lists that the processors of a thread put in for all to read: Processor::together
// with copies.
//
// When the lists themselves are read, all threads meet twice: when all have come, and when all have
// read. Copies lie on two pages, used by turns, and then the second meeting is that of the next
// call: who writes on a page again has met all others in between, and they came there after they
// had read.
//
// Source: our own; double buffering.
//
// Fields, their writer and their line: all the owner's; others read the lists, on lines that hold
// nothing else. Who may call: put: the thread that owns them, between two meetings; what it
// returned may be read by all between the next meeting and the one after that. Progress: nothing
// waits. Cost: a copy. Memory: 8 KiB for each thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "numa/cacheline.h"
#include "numa/rounding.h"
#include "runtime/atomics.h"
#include "runtime/copy.h"

namespace postroom {

// One meeting and copies, as times as fast as two meetings (two cores, Zen 5): 8 bytes 1.25 to 1.3
// at p = 4, 1.05 to 1.2 at 16, up to 1.1 at 64; 4 KiB at p = 4 0.87, hence the size of a page.
// Tried and lost: to ask for the pages of other threads before it is known where on them the lists
// lie (8 bytes 1.03, 512 bytes 0.95 times as fast).
template <class Atomics = StdAtomics, std::size_t kPageBytes = std::size_t{4} << 10>
class PutIn {
 public:
  /// How long lists of so many processors may be to lie on one page.
  static constexpr std::size_t most_bytes(std::size_t processors) noexcept {
    return kPageBytes / processors / kAlignment * kAlignment;
  }

  explicit PutIn(bool has_pages) : lines_(has_pages ? 2 * kPageStride / kCacheLine : 0) {}

  /// Copies `list` for the meeting `epoch`, aligned to 16 bytes. Precondition: those of all
  /// processors of the thread have at most most_bytes().
  std::span<const std::byte> put(std::uint32_t epoch, std::span<const std::byte> list) noexcept {
    if (epoch_ != epoch) {
      epoch_ = epoch;
      used_ = 0;
    }
    std::byte* const to = lines_.front().bytes.data() + epoch % 2 * kPageStride + used_;
    used_ += round_up(list.size(), kAlignment);
    Atomics::writes(to, list.size());
    copy_small(to, list.data(), list.size());
    return {to, list.size()};
  }
  /// Forgets everything. Between runs only.
  void clear() noexcept { epoch_ = 0; }

 private:
  static constexpr std::size_t kAlignment = 16;
  static constexpr std::size_t kPageStride = kPageBytes + kNoSharing;

  struct alignas(kCacheLine) Line {
    std::array<std::byte, kCacheLine> bytes;
  };
  static_assert(sizeof(Line) == kCacheLine && kPageStride % kCacheLine == 0,
                "the lists lie on whole lines, and no two pages on one");

  std::uint32_t epoch_ = 0;
  std::size_t used_ = 0;
  std::vector<Line> lines_;
};

}  // namespace postroom
