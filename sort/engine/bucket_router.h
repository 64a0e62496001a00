// Routing: all processors together put the records of a part into the buckets of its highest digit.
//
//   count    each processor its share; the same read finds which bits vary at all. The digit is
//            guessed from some keys; in the rare case that there is a higher one, all count again.
//            Of all records at once, where a sample says that a digit leaves many together and the
//            values of floating-point keys would not, these tell the bucket
//            (sort/engine/value_digit.h)
//   sum      each processor, for its share of the digits, adds up across the processors: where in
//            each bucket the records of each processor begin
//   place    each processor places its share (sort/engine/place.h), everywhere at once: no two
//            processors write the same place, and the order of equal keys stays. The tables of two
//            of them have no line in common; in a bucket of the target, their records meet in
//            p - 1 lines at most, and in one more where the next bucket begins
//
// Source: as for sort/engine/engine.h. Records go from home to away or back. Keys alone whose
// varying bits have all been counted are not placed but written (sort/engine/fill.h). Memory: a
// table of counts for each processor. Cost: three barriers; to find values, twice, 0.5 ns a record
// by vectors, 1 without (AMD Zen 5).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "numa/cacheline.h"
#include "numa/rounding.h"
#include "sort/engine/config.h"
#include "sort/engine/count.h"
#include "sort/engine/digit.h"
#include "sort/engine/digits_apart.h"
#include "sort/engine/fill.h"
#include "sort/engine/median_sample.h"
#include "sort/engine/part.h"
#include "sort/engine/place.h"
#include "sort/engine/rows_apart.h"
#include "sort/engine/steps.h"
#include "sort/engine/value_digit.h"
#include "sort/vectors/network_sort.h"

namespace postroom::sorting {

enum class Routed {
  kInBuckets,  ///< the records are in buckets, on the other side
  kHome,       ///< the records are home and in order
  kFailed,     ///< somebody failed; the records are where they were
};

template <class Records>
class BucketRouter {
 public:
  /// `most_records` is the size of the largest part. Throws std::bad_alloc.
  BucketRouter(const Records& home, const Records& away, std::size_t most_records,
               std::size_t processors, const SortConfig& config)
      : home_(home),
        away_(away),
        config_(config),
        counts_(processors + 1,
                std::size_t{1} << std::max(split_bits(most_records), fill_bits(most_records))),
        told_(processors) {}

  /// Called by all with the same part. Each gets the same answer.
  Routed route(Steps& steps, const Part& part) {
    Told& own = told_[steps.id()];
    if (!count(steps, part)) return Routed::kFailed;
    if (!own.values && own.common.varying() == 0) {
      const Range share = steps.share(part.begin, part.end);
      if (part.away) home_.take_all(away_, share.begin, share.end);
      return Routed::kHome;
    }
    if (!steps.together([&] { sum(steps, own.buckets()); })) return Routed::kFailed;
    if constexpr (Records::kWholeKeys) {
      if (below(own.common.varying(), own.digit) == 0) return write(steps, part);
    }
    return place_all(steps, part);
  }

  /// After kInBuckets: how many buckets there are, and how many records in each.
  std::size_t buckets() const noexcept { return told_[0].buckets(); }
  std::size_t bucket_size(std::size_t bucket) const noexcept { return totals()[bucket]; }

 private:
  using Bits = typename Records::Bits;
  // Bare keys are routed by sort/engine/network_router.h.
  static constexpr bool kRoutesByValue =
      !Records::kWholeKeys && sizeof(Bits) >= sizeof(std::uint32_t);

  // What a processor tells the others, and what it has made of what it was told.
  struct alignas(kNoSharing) Told {
    // Of its share. By turns: a fast processor may count for the next routing while a slow one
    // still reads, but it cannot be two routings ahead.
    std::array<CommonBits<Bits>, 2> shares;
    std::size_t turn = 0;
    bool has_routed = false;
    CommonBits<Bits> common;  // of all
    Digit digit;
    std::optional<ValueDigit<Bits>> values;  // in place of it

    std::size_t buckets() const noexcept { return values ? values->values() : digit.values(); }
  };

  Records& side(bool away) noexcept { return away ? away_ : home_; }
  std::size_t* row(std::size_t processor) const noexcept { return counts_.row(processor); }
  std::size_t* totals() const noexcept { return counts_.row(told_.size()); }

  // --- Which digit.

  int split_bits(std::size_t records) const noexcept { return split_bits_for(records, config_); }

  int fill_bits(std::size_t records) const noexcept {
    return Records::kWholeKeys ? most_fill_bits(records, config_.fill_bits) : 0;
  }

  Digit choose_digit(std::uint64_t varying, std::size_t records) const noexcept {
    if (varying == 0) return {};
    const Digit whole = whole_digit(varying);
    return whole.bits <= fill_bits(records) ? whole : highest_digit(varying, split_bits(records));
  }

  // Whether all can go on with the digit that was guessed.
  bool serves(Digit digit, std::uint64_t varying, std::size_t records) const noexcept {
    if (width_of(varying) > digit.shift + digit.bits) return false;
    return below(varying, digit) == 0 || digit.bits <= split_bits(records);
  }

  // --- The steps.

  bool count(Steps& steps, const Part& part) {
    Told& own = told_[steps.id()];
    own.turn ^= 1;
    const bool is_first = !std::exchange(own.has_routed, true);
    const bool counted = steps.together([&] {
      own.values.reset();
      // Not what is left together then: by their values some may never be told apart.
      if (is_first && is_for_values(part)) return count_values(steps, part);
      own.digit = choose_digit(
          sampled_bits(side(part.away), part.begin, part.end, config_.sample_records), part.size());
      own.shares[own.turn] = count_share(steps, part, own.digit);
    });
    if (!counted || own.values) return counted;
    own.common = {};
    for (const Told& other : told_) own.common.add(other.shares[own.turn]);
    const std::uint64_t varying = own.common.varying();
    if (varying == 0 || serves(own.digit, varying, part.size())) return true;
    own.digit = choose_digit(varying, part.size());
    return steps.together([&] { count_share(steps, part, own.digit); });
  }

  CommonBits<Bits> count_share(const Steps& steps, const Part& part, Digit digit) {
    const Range share = steps.share(part.begin, part.end);
    std::fill_n(row(steps.id()), digit.values(), 0);
    return count_digit(side(part.away), share.begin, share.end, digit, row(steps.id()));
  }

  // Afterwards row(i)[d] says where in bucket d the records of processor i begin.
  void sum(const Steps& steps, std::size_t buckets) {
    constexpr std::size_t kTogether = kNoSharing / sizeof(std::size_t);  // digits on the same lines
    const Range own = steps.share(0, ceil_divide(buckets, kTogether));
    const std::size_t end = std::min(own.end * kTogether, buckets);
    for (std::size_t d = own.begin * kTogether; d < end; ++d) {
      std::size_t place = 0;
      for (std::size_t i = 0; i < steps.count(); ++i) place += std::exchange(row(i)[d], place);
      totals()[d] = place;
    }
  }

  Routed place_all(Steps& steps, const Part& part) {
    const bool placed = steps.together([&] {
      const Told& own = told_[steps.id()];
      std::size_t* next = row(steps.id());
      std::size_t bucket = part.begin;
      for (std::size_t d = 0; d < own.buckets(); ++d) {
        next[d] += bucket;
        bucket += totals()[d];
      }
      if constexpr (kRoutesByValue) {
        if (own.values) return place_share(steps, part, ByVectors(*own.values));
      }
      place_share(steps, part, own.digit);
    });
    return placed ? Routed::kInBuckets : Routed::kFailed;
  }

  template <class DigitOf>
  void place_share(const Steps& steps, const Part& part, const DigitOf& digit) {
    const Range share = steps.share(part.begin, part.end);
    place<Prefetch::kNext>(side(part.away), share.begin, share.end, digit, side(!part.away),
                           row(steps.id()));
  }

  Routed write(Steps& steps, const Part& part) {
    const Told& own = told_[steps.id()];
    const Range share = steps.share(part.begin, part.end);
    write_counted(home_, share, {part.begin, part.end}, own.digit, own.common, totals());
    return Routed::kHome;
  }

  // --- By the values of keys, read as floating-point numbers.

  bool is_for_values([[maybe_unused]] const Part& part) {
    if constexpr (kRoutesByValue) {
      return part.size() >= config_.value_records && part.size() >= MedianSample<Bits>::kKeys &&
             split_bits(part.size()) >= ValueDigit<Bits>::kLeastBits && config_.networks &&
             has_networks() && MedianSample<Bits>(side(part.away), part).favors_values();
    }
    return false;
  }

  void count_values([[maybe_unused]] const Steps& steps, [[maybe_unused]] const Part& part) {
    if constexpr (kRoutesByValue) {
      const Records& records = side(part.away);
      const auto& values =
          told_[steps.id()].values.emplace(sampled_values(records, part, split_bits(part.size())));
      std::size_t* const counts = row(steps.id());
      std::fill_n(counts, values.values(), 0);
      const Range share = steps.share(part.begin, part.end);
      for_digits<true>(records, share.begin, share.end, ByVectors(values),
                       [&](std::size_t, std::size_t value) { ++counts[value]; });
    }
  }

  Records home_;
  Records away_;
  const SortConfig& config_;
  RowsApart<std::size_t> counts_;  // a row for each processor, and one for their sums
  std::vector<Told> told_;
};

}  // namespace postroom::sorting
