// The sorting engine: records sorted stably by the processors of a team, most of them moved once
// across the memory and then only within a cache.
//
// Source: the counting step is that of Helman, Bader and JáJá, "Parallel Algorithms for
// Personalized Communication and Sorting with an Experimental Study", section 4: count, transpose,
// prefix sums, route. Their radix sort does so for each digit from the lowest up. This does it
// once, for the highest digit, and then finishes each bucket in the cache of one processor.
//
//   presort   records that are in order, or in reverse, need no more than a read (sort/presort.h)
//   route     into the buckets of the highest digit (sort/bucket_router.h); again for giant buckets
//   finish    buckets are claimed one by one (sort/claims.h) and sorted (sort/finish.h)
//
// Every processor of one team calls run() once. Memory: `home` holds the records, `away` has room
// for as many; beside them some tables for each processor, below 1 MiB. Cost: a barrier for each
// step, seven when nothing is giant. Errors: what a key or the progress callback throws is kept for
// rethrow(); the records are as they were, if none has been moved home yet, or else a permutation.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "numa/memory.h"
#include "sort/bucket_router.h"
#include "sort/claims.h"
#include "sort/config.h"
#include "sort/failure.h"
#include "sort/finish.h"
#include "sort/order.h"
#include "sort/part.h"
#include "sort/presort.h"
#include "sort/progress.h"
#include "sort/steps.h"
#include "sort/team.h"

namespace postroom::sorting {

template <class Records>
class Engine {
 public:
  /// For home[0, size) and a team of so many processors. `cold` is the memory of `away` that nobody
  /// has touched yet, if any. What is referred to must outlive the engine. Throws std::bad_alloc.
  Engine(const Records& home, const Records& away, std::size_t size, std::span<std::byte> cold,
         std::size_t processors, const SortConfig& config,
         const std::function<void(double)>& progress)
      : home_(home),
        away_(away),
        size_(size),
        cold_(cold),
        config_(config),
        giant_records_(most_for_one(size, processors, config)),
        presort_(home, size, config.sample_records, processors),
        router_(home, away, size, processors, config),
        giants_{{0, size, false}},
        claims_(processors),
        progress_(progress) {}

  /// The part of one processor. Processor 0 reports progress, up to but not including 1.
  void run(Team team) {
    Steps steps(team, failure_);
    if (presort_.run(steps)) return;
    std::optional<Finisher<Records>> finisher;
    const bool ready = steps.together([&] {
      touch_share(steps);
      finisher.emplace(home_, away_, giant_records_, config_);
    });
    if (ready && route_all(steps)) finish_all(steps, *finisher);
  }

  /// Throws what went wrong, if anything did. After all processors have ended.
  void rethrow() const { failure_.rethrow(); }

 private:
  static constexpr double kRoutedFraction = 0.4;  // of the time

  // Larger buckets would leave the other processors idle.
  static std::size_t most_for_one(std::size_t size, std::size_t processors,
                                  const SortConfig& config) {
    if (processors == 1) return size;
    return std::max(size / (processors * config.giant_divisor), config.alone_records);
  }

  void touch_share(const Steps& steps) {
    const Range own = steps.share(0, cold_.size());
    if (own.begin < own.end) touch_pages(cold_.subspan(own.begin, own.end - own.begin));
  }

  // --- Routing. `giants_` are the parts that all route together, first of all everything;
  // `buckets_` is what is left for one processor each. Only processor 0 writes them.

  bool route_all(Steps& steps) {
    for (std::size_t g = 0; g < giants_.size(); ++g) {
      const Part giant = giants_[g];
      const Routed routed = router_.route(steps, giant);
      if (routed == Routed::kHome) continue;
      if (routed == Routed::kFailed || !steps.together([&] { list_buckets(steps, g); })) {
        bring_all_home(steps, g);
        return false;
      }
    }
    return true;
  }

  // Of a giant that has just been routed. If it throws, the giant is listed as it now is, and its
  // buckets are not.
  void list_buckets(const Steps& steps, std::size_t g) {
    if (steps.id() != 0) return;
    giants_[g].away = !giants_[g].away;
    progress_.report(kRoutedFraction);
    Part bucket{giants_[g].begin, giants_[g].begin, giants_[g].away};
    giants_.reserve(giants_.size() + router_.buckets());
    buckets_.reserve(buckets_.size() + router_.buckets());
    for (std::size_t b = 0; b < router_.buckets(); ++b) {
      bucket.begin = std::exchange(bucket.end, bucket.end + router_.bucket_size(b));
      if (bucket.size() > giant_records_) {
        giants_.push_back(bucket);
      } else if (bucket.size() > 0) {
        buckets_.push_back(bucket);
      }
    }
  }

  void bring_all_home(const Steps& steps, std::size_t first_giant) noexcept {
    for (const Part& bucket : buckets_) bring_share_home(steps, bucket);
    for (std::size_t g = first_giant; g < giants_.size(); ++g) bring_share_home(steps, giants_[g]);
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
    if (steps.id() == 0 && done < size_) {
      progress_.report(kRoutedFraction + (1 - kRoutedFraction) * fraction);
    }
  }

  Records home_;
  Records away_;
  std::size_t size_;
  std::span<std::byte> cold_;
  const SortConfig& config_;
  std::size_t giant_records_;
  Presort<Records> presort_;
  BucketRouter<Records> router_;
  std::vector<Part> giants_;
  std::vector<Part> buckets_;
  Claims claims_;
  Progress progress_;
  std::atomic<std::size_t> finished_records_{0};
  Failure failure_;
};

}  // namespace postroom::sorting
