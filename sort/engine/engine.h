// The sorting engine: records sorted stably by the processors of a team, most of them moved once
// across the memory and then only within a cache.
//
// Source: the counting step is that of Helman, Bader and JáJá, "Parallel Algorithms for
// Personalized Communication and Sorting with an Experimental Study", section 4: count, transpose,
// prefix sums, route. Their radix sort does so for each digit from the lowest up. This does it
// once, for the highest digit, and then finishes each bucket in the cache of one processor.
//
//   counts    keys alone that differ in few bits are counted and written (sort/engine/count_all.h),
//             without those that lie far from all others (sort/engine/count_most.h)
//   rows      a few rows in order are merged (sort/engine/few_rows.h), but for keys alone that can
//             be sorted in place, where that takes too much scratch
//   few       records of few different keys are put side by side at once
//             (sort/engine/few_records.h)
//   heavy     of keys alone, those that occur very often are only counted
//             (sort/engine/heavy_keys.h); other records with such keys go straight to their places
//             (sort/engine/heavy_records.h)
//   blocks    keys alone that do not fit the third cache are sorted in place
//             (sort/engine/block_sort.h)
//   sides     keys alone that fit the third cache, where no scratch is at hand, are moved to both
//             sides of one of them in place (sort/engine/sides_sort.h); on some CPUs all others,
//             too
//   networks  keys alone that fit the third cache, and that a digit tells apart, are routed
//             straight into buckets that networks sort (sort/engine/network_router.h); so are some
//             10^5 records of one word by several processors
//   words     records of one word that fit the third cache are sorted by one processor around keys
//             first, as far as these do, and then in buckets (sort/engine/spread_words.h); where
//             digits would leave many together, by several who part them around keys first
//             (sort/engine/parted_words.h)
//   buckets   all others are routed into buckets and finished there (sort/engine/bucket_sort.h)
//
// Every processor of one team calls run() once. Memory: `home` holds the records, `away` has room
// for as many; beside them some tables for each processor, below 1.5 MiB, or up to 8 MiB where all
// is counted, and `away` not touched; and a 64th of the keys for blocks. Cost: a barrier for each
// step, eight where nothing is giant or heavy. Errors: what a key or the progress callback throws
// is kept for rethrow(); the records are as they were, if none has been moved home yet, or else a
// permutation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "sort/engine/block_sort.h"
#include "sort/engine/bucket_sort.h"
#include "sort/engine/cold.h"
#include "sort/engine/config.h"
#include "sort/engine/count_all.h"
#include "sort/engine/count_most.h"
#include "sort/engine/failure.h"
#include "sort/engine/few_keys.h"
#include "sort/engine/few_records.h"
#include "sort/engine/few_rows.h"
#include "sort/engine/heavy.h"
#include "sort/engine/network_router.h"
#include "sort/engine/part.h"
#include "sort/engine/parted_words.h"
#include "sort/engine/sides_sort.h"
#include "sort/engine/spread_words.h"
#include "sort/engine/steps.h"
#include "sort/engine/team.h"

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
        progress_(progress),
        count_all_(home, size, processors, config),
        rows_(home, away, size, processors, config),
        few_(home, away, size, Records::kWholeKeys ? 0 : processors, config),
        heavy_(home, away, size, processors, config) {}

  /// The part of one processor. Processor 0 reports progress, up to but not including 1, where the
  /// way that is taken can tell.
  void run(Team team) {
    Steps steps(team, failure_);
    if constexpr (Records::kWholeKeys) {
      if (count_all_.sort(steps)) return;
    }
    if constexpr (Records::kNetworkKeys) {
      if (count_most(steps)) return;
    }
    const bool rows_first = rows_before_blocks();
    if (rows_first && rows_.sort(steps, cold_)) return;
    if constexpr (Records::kNetworkKeys) {
      if (sort_in_place(steps)) return;
    }
    if (!rows_first && rows_.sort(steps, cold_)) return;
    bool few = false;
    bool words = false;
    bool heavy = false;
    bool sides = false;
    if (!steps.together([&] {
          few = few_pays();
          words = words_pay(steps);
          heavy = !words && heavy_pays(steps);
          if (few || words || heavy) return;
          sides = sides_pay(steps);
          if (!sides) touch_share(steps, cold_);
        })) {
      return;
    }
    if constexpr (!Records::kWholeKeys) {
      if (few && few_.sort(steps, cold_)) return;
    }
    if constexpr (Records::kMayBeWords) {
      if (words) return static_cast<void>(words_->sort(steps));
    }
    if (heavy) return run_without_heavy(steps);
    if constexpr (Records::kNetworkKeys) {
      if (sides) return static_cast<void>(sides_->sort(steps));
    }
    if constexpr (Records::kNetworkKeys || Records::kMayBeWords) {
      if (route_to_networks(steps)) return;
    }
    sort(steps, home_, away_, {0, size_, false});
  }

  /// Throws what went wrong, if anything did. After all processors have ended.
  void rethrow() const { failure_.rethrow(); }

 private:
  // Where a sample has misled count_all_. False where that is not the way.
  bool count_most(Steps& steps) {
    const std::optional<Digit> digit = count_all_.misled_by(steps.id());
    if (!digit || !CountMost<Records>::suits(config_)) return false;
    const bool ready = steps.together([&] {
      if (steps.id() == 0) count_most_.emplace(home_, away_, size_, steps.count(), config_);
    });
    return !ready || count_most_->sort(steps, *digit);
  }

  // Whether a few rows in order are merged rather than sorted in blocks. Sixteen rows of 10^7 keys
  // that take turns, split in blocks and merged, one core then two, ns a key (AMD Zen 3): u32 5.1
  // and 2.5, 2.8 and 1.4; u64 7.6 and 3.3, 4.2 and 1.9; in fresh scratch u64 8.7 and 5.5, 6.7 and
  // 5.9.
  bool rows_before_blocks() const noexcept {
    return size_ <= config_.merge_keys_bytes / Records::kRecordBytes;
  }

  // Keys that do not fit the third cache. False where that is not the way; nothing has been moved
  // then.
  bool sort_in_place(Steps& steps) {
    if (fits_third_cache()) return false;
    const bool ready = steps.together([&] {
      if (steps.id() != 0) return;
      if (!are_few_different() && SidesSort<Records>::pays_before_blocks(home_, size_, config_)) {
        sides_.emplace(home_, away_, size_, size_, steps.count(), config_);
      } else if (BlockSort<Records>::pays(home_, size_, size_, steps.count(), config_)) {
        blocks_.emplace(home_, away_, size_, size_, steps.count(), config_, progress_);
      }
      in_place_ = sides_ || blocks_;
    });
    if (!ready) return true;
    if (!in_place_) return false;
    if (sides_) {
      static_cast<void>(sides_->sort(steps));
    } else {
      blocks_->run(steps);
    }
    return true;
  }

  bool few_pays() const {
    return !Records::kWholeKeys && FewRecords<Records>::pays(home_, size_, config_);
  }

  // Whether frequent keys are to be taken out. Of bare keys, if vectors take them to both sides of
  // one of them soon, only where there are few different ones, or half of them are frequent and
  // come from memory (10^7 u64 of S on one core: 1.7 ns a key, by sides 2.2; AMD Zen 5).
  bool heavy_pays([[maybe_unused]] const Steps& steps) const {
    if constexpr (Records::kNetworkKeys) {
      if (takes_sides_soon<Records>(config_)) {
        if (fits_third_cache() || config_.sides_before_digits) {
          return are_few_different();
        }
        if (steps.count() == 1) return heavy_.pays(2);
      }
    }
    return heavy_.pays();
  }

  bool are_few_different() const {
    return has_few_different(home_, size_, config_.least_few_different, config_) &&
           seem_few_different(home_, size_);
  }

  // All come to the same; processor 0 gets ready for it.
  bool sides_pay([[maybe_unused]] const Steps& steps) {
    if constexpr (Records::kNetworkKeys) {
      if (!SidesSort<Records>::pays(home_, size_, cold_.size(), config_)) return false;
      if (steps.id() == 0) sides_.emplace(home_, away_, size_, size_, steps.count(), config_);
      return true;
    }
    return false;
  }

  // One processor's share of it.
  bool fits_third_cache() const noexcept {
    return size_ <= config_.sides_bytes / Records::kRecordBytes;
  }

  // False where that is not the way; nothing has been moved then.
  bool route_to_networks(Steps& steps) {
    const bool ready = steps.together([&] {
      if (steps.id() != 0 || !NetworkRouter<Records>::pays(home_, size_, steps.count(), config_))
        return;
      networks_.emplace(home_, away_, size_, steps.count(), config_);
    });
    return !ready || (networks_ && networks_->sort(steps));
  }

  // Whether words are spread, to whom it is the same which of them are frequent: where one
  // processor is alone, or digits would leave many together. Processor 0 gets ready for it.
  bool words_pay([[maybe_unused]] const Steps& steps) {
    if constexpr (Records::kMayBeWords) {
      if (!can_spread_words(home_, config_) || !fits_third_cache()) return false;
      if (steps.count() > 1 && !words_defy_digits(home_, size_)) return false;
      if (steps.id() == 0) words_.emplace(home_, away_, size_, steps.count(), config_);
      return true;
    }
    return false;
  }

  // Light ones are sorted where they were taken to, and then put back among the heavy ones.
  void run_without_heavy(Steps& steps) {
    if (!heavy_.take_out(steps, cold_)) return;
    if (heavy_.lights() > 0) {
      Records home = heavy_.light_home();
      sort(steps, home, heavy_.light_away(), heavy_.light_part());
    }
    heavy_.put_back(steps);
  }

  // Sorts the part, which ends at `home` in any case.
  void sort(Steps& steps, Records& home, const Records& away, const Part& part) {
    const bool ready = steps.together([&] {
      if (steps.id() != 0) return;
      buckets_.emplace(home, away, part, steps.count(), config_, progress_);
    });
    if (ready) return buckets_->run(steps);
    const Range own = steps.share(part.begin, part.end);
    if (part.away) home.take_all(away, own.begin, own.end);
  }

  Records home_;
  Records away_;
  std::size_t size_;
  std::span<std::byte> cold_;
  const SortConfig& config_;
  const std::function<void(double)>& progress_;
  CountAll<Records> count_all_;
  std::optional<CountMost<Records>> count_most_;
  FewRows<Records> rows_;
  FewRecords<Records> few_;  // of nobody, where keys are alone
  HeavyOf<Records> heavy_;
  std::optional<SidesSort<Records>> sides_;
  std::optional<BlockSort<Records>> blocks_;
  // Which of these two, if any, for sort_in_place(). Processor 0 says so once: where it is neither,
  // it may have come to sides_ for another reason before others ask.
  bool in_place_ = false;
  std::optional<NetworkRouter<Records>> networks_;
  std::optional<PartedWordsOf<Records>> words_;
  std::optional<BucketSort<Records>> buckets_;
  Failure failure_;
};

}  // namespace postroom::sorting
