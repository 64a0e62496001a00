// Routing around a key: all processors together move the bare keys of a part to both sides of one
// of them, where many are alike or a digit would leave most of them together.
//
//   count   each processor its share: how many are below, how many above
//   move    each processor its share, block by block (sort/vector_sides.h), to where those of the
//           processors before it end; what is equal is written where it belongs, and that is home
//
// Source: the partition of a parallel quicksort, by counts and their prefix sums; here with three
// sides, of which the middle one is not moved.
//
// Records go from home to away or back, as in sort/bucket_router.h. Memory: a block on the stack, 8
// KiB. Cost: two barriers; each key is read twice and, unless it is equal, moved once to memory:
// 0.2 to 0.3 ns a key (AMD Zen 5). Nothing here throws.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "numa/cacheline.h"
#include "sort/config.h"
#include "sort/median_sample.h"
#include "sort/part.h"
#include "sort/spread.h"
#include "sort/steps.h"
#include "sort/vector_sides.h"

namespace postroom::sorting {

template <class Records>
class SidesRouter {
 public:
  using Bits = typename Records::Bits;

  /// What is referred to must outlive it. Throws std::bad_alloc.
  SidesRouter(const Records& home, const Records& away, std::size_t processors)
      : home_(home), away_(away), told_(processors) {}

  /// Whether to route the part so. All processors get the same answer.
  bool pays(const Part& part, const SortConfig& config) const noexcept {
    if (part.size() < MedianSample<Bits>::kKeys || !takes_sides_soon<Records>(config)) return false;
    return MedianSample<Bits>(part.away ? away_ : home_, part).defies_digits();
  }

  /// Called by all with the same part, of 32 keys at least. False when somebody failed; the records
  /// are where they were then.
  [[nodiscard]] bool route(Steps& steps, const Part& part) {
    Told& own = told_[steps.id()];
    const Range share = steps.share(part.begin, part.end);
    Records& from = part.away ? away_ : home_;
    own.key = MedianSample<Bits>(from, part).median();
    if (!steps.together([&] { own.sides = count(from, share, own.key); })) return false;
    own.low = part.begin;
    own.high = part.end;
    std::size_t to_low = part.begin;
    std::size_t to_high = part.end;
    for (std::size_t i = 0; i < told_.size(); ++i) {
      if (i == steps.id()) {
        to_low = own.low;
        to_high = own.high;
      }
      own.low += told_[i].sides.below;
      own.high -= told_[i].sides.above;
    }
    const bool moved =
        steps.together([&] { move(from, share, part.away ? home_ : away_, own, to_low, to_high); });
    if (!moved) return false;
    const Range equal = steps.share(own.low, own.high);
    home_.fill(equal.begin, equal.end, own.key);
    return true;
  }

  /// After route(), for each processor: the parts on both sides of the key, on the other side now.
  std::array<Part, 2> parts(const Steps& steps, const Part& part) const noexcept {
    const Told& own = told_[steps.id()];
    return {Part{part.begin, own.low, !part.away}, Part{own.high, part.end, !part.away}};
  }

 private:
  static constexpr std::size_t kBlock = 1024;

  // What a processor tells the others, and what it has made of what it was told.
  struct alignas(kNoSharing) Told {
    Sides sides;  // of its share
    Bits key;
    std::size_t low;   // where all keys below end
    std::size_t high;  // where all keys above begin
  };

  static Sides count(const Records& from, const Range& share, Bits key) noexcept {
    Sides sides{0, 0};
    for (std::size_t begin = share.begin; begin < share.end; begin += kBlock) {
      const std::size_t end = std::min(begin + kBlock, share.end);
      // As wide as a key, so that the compiler makes vectors of it.
      Bits below = 0;
      Bits above = 0;
      for (std::size_t i = begin; i < end; ++i) {
        below += static_cast<Bits>(from.key(i) < key);
        above += static_cast<Bits>(from.key(i) > key);
      }
      sides.below += static_cast<std::size_t>(below);
      sides.above += static_cast<std::size_t>(above);
    }
    return sides;
  }

  static void move(Records& from, const Range& share, Records& to, const Told& own, std::size_t low,
                   std::size_t high) noexcept {
    alignas(kCacheLine) std::array<std::byte, kBlock * Records::kRecordBytes> memory;
    for (std::size_t begin = share.begin; begin < share.end; begin += kBlock) {
      const std::size_t size = std::min(kBlock, share.end - begin);
      Records block = from.from(begin);
      Records below = from.room_at(memory.data(), kBlock);
      const Sides sides = below.take_sides(block, 0, size, own.key);
      to.from(low).take_all(below, 0, sides.below);
      low += sides.below;
      high -= sides.above;
      to.from(high).take_all(block.from(size - sides.above), 0, sides.above);
    }
  }

  Records home_;
  Records away_;
  std::vector<Told> told_;
};

}  // namespace postroom::sorting
