// Keys alone that differ in few bits but for a few keys far from all others, which no sample shows:
// a -1 among small numbers.
//
//   move    all move the keys above the others to the end, then those below them to the begin
//           (sort/vectors/vector_sides.h), each its own share; what is on the wrong side of the
//           border of all is exchanged
//   count   what is left is counted and written (sort/engine/count_all.h)
//   finish  one processor sorts the few
//
// Source: our own. Cost: those of count_all.h twice, since it has counted in vain before, and a
// read and a write of each key on either side where there may be any. 10^6 keys below 10^5 and one
// far away, by digits and so, ns (Intel Granite Rapids): u32 8.4 and 2.8 on one core, 5.2 and 1.8
// on two; u64 9.7 and 3.2, 5.4 and 2.2.
// Memory: that of count_all.h. Errors: those of Steps.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

#include "numa/cacheline.h"
#include "sort/engine/config.h"
#include "sort/engine/count_all.h"
#include "sort/engine/digit.h"
#include "sort/engine/finish.h"
#include "sort/engine/misplaced.h"
#include "sort/engine/spread.h"
#include "sort/engine/steps.h"
#include "sort/engine/team.h"
#include "sort/vectors/pivot.h"

namespace postroom::sorting {

template <class Records>
class CountMost {
 public:
  using Bits = typename Records::Bits;

  /// Of home[0, size); `away` has room for as many. `config` must outlive it.
  CountMost(const Records& home, const Records& away, std::size_t size, std::size_t processors,
            const SortConfig& config)
      : home_(home), away_(away), size_(size), config_(config), told_(processors) {}

  /// Whether this processor's vectors do it.
  static bool suits(const SortConfig& config) { return takes_sides_soon<Records>(config); }

  /// Called by all, where nearly all keys have the bits of the first one but for those of `digit`
  /// and below. False where it is not so; the keys may have been moved then. True, too, where
  /// somebody has failed. Precondition: suits().
  [[nodiscard]] bool sort(Steps& steps, Digit digit) {
    const auto others = static_cast<Bits>(low_bits(digit.shift + digit.bits));
    const auto low = static_cast<Bits>(home_.key(0) & static_cast<Bits>(~others));
    const auto high = static_cast<Bits>(low | others);
    std::optional<Misplaced> misplaced;
    // Nobody moves a key before all have seen the first one.
    if (!steps.together([&] { misplaced.emplace(steps.count()); })) return true;
    Range most{0, size_};
    if (high != std::numeric_limits<Bits>::max()) {
      most.end = part(steps, *misplaced, most, static_cast<Bits>(high + 1));
    }
    if (low != 0) most.begin = part(steps, *misplaced, most, low);
    const std::size_t count = most.end - most.begin;
    if (size_ - count > size_ / kLeastForOne) return false;
    if (!steps.together([&] {
          if (steps.id() != 0) return;
          count_all_.emplace(home_.from(most.begin), count, steps.count(), config_);
        })) {
      return true;
    }
    if (!count_all_->sort(steps)) return false;
    steps.apart([&] {
      if (steps.id() != 0) return;
      finish({0, most.begin});
      finish({most.end, size_});
    });
    return true;
  }

 private:
  // Where more of them are far away, a sample would have shown it.
  static constexpr std::size_t kLeastForOne = 16;

  // What a processor tells the others.
  struct alignas(kNoSharing) Told {
    std::size_t front = 0;  // how many of its share go to the front
  };

  // Moves the keys of `all` below `key` before all others; returns where these begin.
  std::size_t part(Steps& steps, Misplaced& misplaced, Range all, Bits key) noexcept {
    const Pivot<Bits> pivot{key, Equals::kAbove};
    steps.in_any_case([&] {
      const Range own = steps.share(all.begin, all.end);
      told_[steps.id()].front = home_.take_sides_in_place(own.begin, own.end, pivot).below;
    });
    std::size_t border = all.begin;
    for (const Told& told : told_) border += told.front;
    misplaced.begin(border);
    for (std::size_t id = 0; id < told_.size(); ++id) {
      misplaced.add(share_of(all, id, told_.size()), told_[id].front);
    }
    steps.in_any_case([&] {
      misplaced.swap(
          steps.share(0, misplaced.count()),
          [&](std::size_t a, std::size_t b, std::size_t count) { home_.swap(a, b, count); });
    });
    return border;
  }

  void finish(Range few) {
    const std::size_t count = few.end - few.begin;
    if (count < 2) return;
    Finisher<Records>(home_.from(few.begin), away_.from(few.begin), count, config_)
        .finish({0, count, false});
  }

  Records home_;
  Records away_;
  std::size_t size_;
  const SortConfig& config_;
  std::vector<Told> told_;
  std::optional<CountAll<Records>> count_all_;
};

}  // namespace postroom::sorting
