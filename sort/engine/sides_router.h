// Routing around a key: the bare keys of a part moved to both sides of one of them, where many are
// alike or a digit would leave most of them together.
//
//   together  each processor its share, as if it were alone (sort/vectors/vector_sides.h); then
//             what lies beyond the ends of the two sides is moved into the gaps between the shares,
//             by each as much
//   apart     each processor a part of its own, where there are as many: nobody waits for counts
//
// Keys below go to the other side, as in sort/engine/bucket_router.h, those above stay on theirs.
// What is equal is not moved, but written where it belongs, and that is home.
//
// Source: our own; B. Bramas (2017, see sort/vectors/vector_sides.h) for the sides of one
// processor. Memory: a line or two for each processor. Cost: two barriers; each key is read once
// and, unless it is equal, moved at most twice: together 0.2 to 0.25 ns a key on two processors
// (AMD Zen 5), apart 0.3 for each processor. Nothing here throws after the constructor.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "numa/cacheline.h"
#include "sort/engine/config.h"
#include "sort/engine/median_sample.h"
#include "sort/engine/part.h"
#include "sort/engine/spread.h"
#include "sort/engine/steps.h"
#include "sort/vectors/vector_sides.h"

namespace postroom::sorting {

template <class Records>
class SidesRouter {
 public:
  using Bits = typename Records::Bits;

  /// What is referred to must outlive it. Throws std::bad_alloc.
  SidesRouter(const Records& home, const Records& away, std::size_t processors)
      : home_(home), away_(away), told_(processors) {}

  /// The key around which to route the part, if that is the way. Nobody is at work at it.
  std::optional<Pivot<Bits>> pivot_for(const Part& part, const SortConfig& config) const {
    if (part.size() < MedianSample<Bits>::kKeys || !takes_sides_soon<Records>(config)) return {};
    // All together gain nothing by it where the keys do not fit the third cache.
    const bool fits = part.size() <= config.sides_bytes / Records::kRecordBytes;
    if (told_.size() > 1 && !fits) return {};
    const Records& records = part.away ? away_ : home_;
    const MedianSample<Bits> sample(records, part);
    const bool pays =
        sample.defies_digits() || (told_.size() == 1 && is_for_sides_alone(records, part, config));
    return pays ? std::optional(sample.pivot()) : std::nullopt;
  }

  /// Called by all with the same part and pivot. False when somebody failed, which nobody does
  /// here.
  // Counted first, and then moved through blocks in cache: 0.22 to 0.28 ns a key on two (Zen 5).
  [[nodiscard]] bool route(Steps& steps, const Part& part, const Pivot<Bits>& pivot) {
    const Range share = steps.share(part.begin, part.end);
    if (!steps.together([&] { take(steps, {share.begin, share.end, part.away}, pivot); })) {
      return false;
    }
    const Range equal = equal_of(part);
    if (!steps.together([&] { close_gaps(steps, part, equal); })) return false;
    const Range own = steps.share(equal.begin, equal.end);
    home_.fill(own.begin, own.end, pivot.key);
    return true;
  }

  /// After route(): the parts on both sides of the key.
  std::array<Part, 2> parts(const Part& part) const noexcept {
    return parts_around(equal_of(part), part);
  }

  /// Called by all, each with a part of its own. False as above.
  [[nodiscard]] bool route_apart(Steps& steps, const Part& part, const Pivot<Bits>& pivot) {
    return steps.together([&] {
      take(steps, part, pivot);
      const Range equal = equal_of(steps.id(), part);
      home_.fill(equal.begin, equal.end, pivot.key);
    });
  }

  /// After route_apart(): those of one processor's part.
  std::array<Part, 2> parts_of(std::size_t processor, const Part& part) const noexcept {
    return parts_around(equal_of(processor, part), part);
  }

 private:
  // What a processor tells the others.
  struct alignas(kNoSharing) Told {
    Sides sides{};
  };

  Records& side(bool away) noexcept { return away ? away_ : home_; }

  void take(const Steps& steps, const Part& part, const Pivot<Bits>& pivot) noexcept {
    told_[steps.id()].sides =
        side(!part.away).take_sides(side(part.away), part.begin, part.end, pivot);
  }

  // Where what is equal belongs: of one processor's part, and of what all have shared.
  Range equal_of(std::size_t processor, const Part& part) const noexcept {
    const Sides& sides = told_[processor].sides;
    return {part.begin + sides.below, part.end - sides.above};
  }
  Range equal_of(const Part& part) const noexcept {
    Range equal{part.begin, part.end};
    for (const Told& told : told_) {
      equal.begin += told.sides.below;
      equal.end -= told.sides.above;
    }
    return equal;
  }

  static std::array<Part, 2> parts_around(const Range& equal, const Part& part) noexcept {
    return {Part{part.begin, equal.begin, !part.away}, Part{equal.end, part.end, part.away}};
  }

  // --- Gaps.

  static Range up_to(const Range& range, std::size_t end) noexcept {
    return {std::min(range.begin, end), std::min(range.end, end)};
  }
  static Range from(const Range& range, std::size_t begin) noexcept {
    return {std::max(range.begin, begin), std::max(range.end, begin)};
  }

  void close_gaps(const Steps& steps, const Part& part, const Range& equal) noexcept {
    const auto share = [&](std::size_t i) {
      return share_of({part.begin, part.end}, i, told_.size());
    };
    const auto empty = [&](std::size_t i) {
      const Range own = share(i);
      return equal_of(i, {own.begin, own.end, part.away});
    };
    move_row(
        steps, side(!part.away),
        [&](std::size_t i) {
          return from({share(i).begin, empty(i).begin}, equal.begin);
        },
        [&](std::size_t i) {
          return up_to({empty(i).begin, share(i).end}, equal.begin);
        });
    move_row(
        steps, side(part.away),
        [&](std::size_t i) {
          return up_to({empty(i).end, share(i).end}, equal.end);
        },
        [&](std::size_t i) {
          return from({share(i).begin, empty(i).end}, equal.end);
        });
  }

  // Ranges, one of each processor, as one row.
  template <class RangeOf>
  class Row {
   public:
    explicit Row(const RangeOf& range_of) : range_of_(range_of), range_(range_of(0)) {}

    // How many follow without a gap. Precondition: some are left.
    std::size_t together() noexcept {
      while (range_.begin == range_.end) range_ = range_of_(++processor_);
      return range_.end - range_.begin;
    }
    // Goes on by so many, together() at most; returns where they begin.
    std::size_t take(std::size_t count) noexcept {
      range_.begin += count;
      return range_.begin - count;
    }
    void skip(std::size_t count) noexcept {
      while (count > 0) {
        const std::size_t some = std::min(count, together());
        take(some);
        count -= some;
      }
    }

   private:
    const RangeOf& range_of_;
    Range range_;
    std::size_t processor_ = 0;
  };

  // Moves this processor's share of one row into another one, which has as many places.
  template <class Source, class Target>
  void move_row(const Steps& steps, Records& records, const Source& source,
                const Target& target) noexcept {
    std::size_t all = 0;
    for (std::size_t i = 0; i < told_.size(); ++i) all += source(i).end - source(i).begin;
    const Range own = steps.share(0, all);
    Row sources(source);
    Row targets(target);
    sources.skip(own.begin);
    targets.skip(own.begin);
    for (std::size_t left = own.end - own.begin; left > 0;) {
      const std::size_t count = std::min({left, sources.together(), targets.together()});
      records.from(targets.take(count)).take_all(records.from(sources.take(count)), 0, count);
      left -= count;
    }
  }

  Records home_;
  Records away_;
  std::vector<Told> told_;
};

}  // namespace postroom::sorting
