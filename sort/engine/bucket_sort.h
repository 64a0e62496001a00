// Sorting by buckets: records routed into the buckets of their highest digit, and each bucket
// finished in the cache of one processor.
//
//   route     into the buckets of the highest digit (sort/engine/bucket_router.h), again for giant
//             ones; bare keys of which a digit would leave most together are moved to both sides of
//             one of them instead (sort/engine/sides_router.h), by all together, or by each a part
//             of its own where there are as many
//   finish    buckets are claimed one by one (sort/engine/claims.h) and sorted
//             (sort/engine/finish.h)
//
// Memory: some tables for each processor, below 1 MiB. Cost: a barrier for each step, six when
// nothing is giant, and none at the end. Errors: what a key, an allocation or the progress callback
// throws is kept in the Failure of the steps; the records are all at home then, in some order.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "sort/engine/bucket_router.h"
#include "sort/engine/claims.h"
#include "sort/engine/config.h"
#include "sort/engine/finish.h"
#include "sort/engine/part.h"
#include "sort/engine/progress.h"
#include "sort/engine/sides_router.h"
#include "sort/engine/steps.h"

namespace postroom::sorting {

template <class Records>
class BucketSort {
 public:
  /// Of `whole`, which begins at 0 and may be away, by a team of so many processors. `away` has
  /// room for as many. What is referred to must outlive it. Throws std::bad_alloc.
  BucketSort(const Records& home, const Records& away, const Part& whole, std::size_t processors,
             const SortConfig& config, const std::function<void(double)>& progress)
      : home_(home),
        away_(away),
        size_(whole.end),
        config_(config),
        giant_records_(most_for_one(size_, processors, config)),
        most_around_(std::min(size_, giant_records_ + giant_records_ / 3)),
        processors_(processors),
        router_(home, away, size_, processors, config),
        sides_(home, away, processors),
        claims_(processors),
        progress_(progress) {
    reserve_more(1);
    list_giant(whole);
  }

  /// The part of one processor; called by all. Processor 0 reports progress, up to but not
  /// including 1. Others may still be at work when it returns.
  void run(Steps& steps) {
    std::optional<Finisher<Records>> finisher;
    const bool ready =
        steps.together([&] { finisher.emplace(home_, away_, most_around_, config_); });
    if (!ready) return bring_all_home(steps, 0);
    if (route_all(steps)) finish_all(steps, *finisher);
  }

 private:
  static constexpr double kRoutedFraction = 0.4;  // of the time

  using Bits = typename Records::Bits;

  struct Giant {
    Part part{};
    std::optional<Pivot<Bits>> pivot{};  // around which to route it, not by a digit
  };

  // --- Routing. `giants_` are the parts that all route together, first of all everything;
  // `buckets_` is what is left for one processor each. Only processor 0 writes them.

  bool route_all(Steps& steps) {
    for (std::size_t g = 0; g < giants_.size();) {
      const std::size_t routed = route_next(steps, g);
      if (routed == 0) {
        bring_all_home(steps, g);
        return false;
      }
      g += routed;
    }
    return true;
  }

  // Routes giants from `g` on. Returns how many; none where somebody failed.
  std::size_t route_next(Steps& steps, std::size_t g) {
    const Giant giant = giants_[g];
    if constexpr (Records::kNetworkKeys) {
      if (giant.pivot && steps.count() == 1) {
        buckets_.push_back(giant.part);  // within what was reserved
        return 1;
      }
      if (giant.pivot && goes_apart(steps, g)) return route_apart(steps, g) ? steps.count() : 0;
      if (giant.pivot) return route_around(steps, g) ? 1 : 0;
    }
    const Routed routed = router_.route(steps, giant.part);
    if (routed == Routed::kHome) return 1;
    if (routed == Routed::kFailed) return 0;
    return steps.together([&] { list_buckets(steps, g); }) ? 1 : 0;
  }

  // Of a giant that has just been routed. If it throws, the giant is listed as it now is, and its
  // buckets are not.
  void list_buckets(const Steps& steps, std::size_t g) {
    if (steps.id() != 0) return;
    Part& giant = giants_[g].part;
    giant.away = !giant.away;
    progress_.report(kRoutedFraction);
    Part bucket{giant.begin, giant.begin, giant.away};
    reserve_more(router_.buckets());
    for (std::size_t b = 0; b < router_.buckets(); ++b) {
      bucket.begin = std::exchange(bucket.end, bucket.end + router_.bucket_size(b));
      list(bucket, giant_records_);
    }
  }

  // Whether there is a giant for each processor.
  bool goes_apart(const Steps& steps, std::size_t g) const noexcept {
    if (giants_.size() - g < steps.count()) return false;
    const auto first = giants_.begin() + static_cast<std::ptrdiff_t>(g);
    return std::all_of(first, first + static_cast<std::ptrdiff_t>(steps.count()),
                       [](const Giant& giant) { return giant.pivot.has_value(); });
  }

  bool route_apart(Steps& steps, std::size_t g) {
    const Giant own = giants_[g + steps.id()];
    return sides_.route_apart(steps, own.part, *own.pivot) && steps.together([&] {
      if (steps.id() != 0) return;
      for (std::size_t i = 0; i < steps.count(); ++i) {
        list_sides(g + i, sides_.parts_of(i, giants_[g + i].part));
      }
      end_listing();
    });
  }

  bool route_around(Steps& steps, std::size_t g) {
    const Giant giant = giants_[g];
    return sides_.route(steps, giant.part, *giant.pivot) && steps.together([&] {
      if (steps.id() != 0) return;
      list_sides(g, sides_.parts(giant.part));
      end_listing();
    });
  }

  // What is between the two parts is home already.
  void list_sides(std::size_t g, const std::array<Part, 2>& parts) {
    const std::size_t whole = giants_[g].part.size();
    giants_[g] = {};
    // A digit tells those apart that a key from a sample did not.
    for (const Part& part : parts) list(part, most_around_, part.size() > whole / 8 * 7);
  }

  void end_listing() {
    reserve_more(0);
    progress_.report(kRoutedFraction);
  }

  // Room for so many parts, and for those of the next giants: when they have been moved to both
  // sides of a key, it is too late to fail.
  void reserve_more(std::size_t parts) {
    giants_.reserve(giants_.size() + parts + 2 * processors_);
    buckets_.reserve(buckets_.size() + parts + 2 * processors_);
  }

  // Within what was reserved. What has more than `most` records is a giant.
  void list(const Part& part, std::size_t most, bool by_digit = false) {
    if (part.size() > most) {
      list_giant(part, by_digit);
    } else if (part.size() > 0) {
      buckets_.push_back(part);
    }
  }

  void list_giant(const Part& part, bool by_digit = false) {
    Giant giant{part};
    if constexpr (Records::kNetworkKeys) {
      if (!by_digit) giant.pivot = sides_.pivot_for(part, config_);
    }
    giants_.push_back(giant);
  }

  void bring_all_home(const Steps& steps, std::size_t first_giant) noexcept {
    for (const Part& bucket : buckets_) bring_share_home(steps, bucket);
    for (std::size_t g = first_giant; g < giants_.size(); ++g)
      bring_share_home(steps, giants_[g].part);
  }

  void bring_share_home(const Steps& steps, const Part& part) noexcept {
    const Range own = steps.share(part.begin, part.end);
    if (part.away) home_.take_all(away_, own.begin, own.end);
  }

  // --- Finishing.

  void finish_all(Steps& steps, Finisher<Records>& finisher) {
    if (!steps.together([&] { deal_out(steps); })) return bring_all_home(steps, giants_.size());
    Claims::Claimer claimer(claims_, steps.id());
    for (auto b = claimer.next(); b != Claims::kNone; b = claimer.next()) {
      if (steps.failed_apart()) {
        finisher.bring_home(buckets_[b]);
      } else {
        steps.apart([&] { finish_one(steps, finisher, buckets_[b]); });
      }
    }
  }

  void deal_out(const Steps& steps) {
    if (steps.id() == 0) claims_.deal_out(buckets_, size_);
  }

  void finish_one(const Steps& steps, Finisher<Records>& finisher, const Part& bucket) {
    finisher.finish(bucket);
    if (!progress_.wanted()) return;
    // Relaxed: a number to show.
    const std::size_t done =
        finished_records_.fetch_add(bucket.size(), std::memory_order_relaxed) + bucket.size();
    const double fraction = static_cast<double>(done) / static_cast<double>(size_);
    if (steps.id() == 0) progress_.report(kRoutedFraction + (1 - kRoutedFraction) * fraction);
  }

  Records home_;
  Records away_;
  std::size_t size_;
  const SortConfig& config_;
  std::size_t giant_records_;
  std::size_t most_around_;  // the same around a key
  std::size_t processors_;
  BucketRouter<Records> router_;
  SidesRouter<Records> sides_;
  std::vector<Giant> giants_;
  std::vector<Part> buckets_;
  Claims claims_;
  Progress progress_;
  std::atomic<std::size_t> finished_records_{0};
};

}  // namespace postroom::sorting
