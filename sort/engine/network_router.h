// Bare keys, and records that are words to a network (sort/engine/spread_words.h), routed by all
// processors straight into buckets that networks of vectors sort: once to memory and once home.
//
//   count    each processor its share; the same read finds which bits vary at all. The digit is
//            guessed from some keys; in the rare case that there is a higher one, all count again.
//            Floating-point numbers that it would leave together go by their values, where there
//            are several processors (sort/engine/value_digit.h)
//   sum      each processor, for its share of the digits, adds up across the processors
//   place    each processor places its share, everywhere at once; which lines two of them write is
//            said in sort/engine/bucket_router.h
//   finish   each processor claims rows of buckets (sort/engine/claims.h) and sorts them on their
//            way home; keys too many for a network are moved to both sides of one of them first
//            (sort/engine/spread.h, sort/engine/spread_words.h)
//
// Source: as for sort/engine/engine.h. Words are sorted stably; bare keys are not, which cannot be
// seen: each processor takes them from five places of its share by turns, or those in order would
// wait for each other (sort/engine/digits_apart.h).
//
// Cost: four barriers. 10^6 uniform keys on two processors (AMD Zen 5), ns a key: u32 count 0.19,
// place 0.59, finish 0.28; u64 0.22, 0.73, 0.73. 10^5 pairs of u32 1.3 ns a pair. Memory: for each
// processor a table of counts, 64 KiB, and what sort/engine/spread.h or sort/engine/spread_words.h
// has.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "numa/cacheline.h"
#include "numa/rounding.h"
#include "sort/engine/claims.h"
#include "sort/engine/config.h"
#include "sort/engine/count.h"
#include "sort/engine/digit.h"
#include "sort/engine/digits_apart.h"
#include "sort/engine/fill.h"
#include "sort/engine/median_sample.h"
#include "sort/engine/part.h"
#include "sort/engine/place.h"
#include "sort/engine/rows_apart.h"
#include "sort/engine/spread.h"
#include "sort/engine/spread_words.h"
#include "sort/engine/steps.h"
#include "sort/engine/value_digit.h"
#include "sort/vectors/network_sort.h"

namespace postroom::sorting {

template <class Records>
class NetworkRouter {
 public:
  /// For home[0, size), and `away`, which has room for as many. What is referred to must outlive
  /// it. Throws std::bad_alloc. Precondition: pays().
  NetworkRouter(const Records& home, const Records& away, std::size_t size, std::size_t processors,
                const SortConfig& config)
      : home_(home),
        away_(away),
        size_(size),
        config_(config),
        bits_(digit_bits(size, config)),
        most_in_bucket_(processors == 1 ? size : size / (processors * config.giant_divisor)),
        counts_(processors + 1, std::size_t{1} << most_bits(bits_, config)),
        told_(processors),
        claims_(processors) {
    if constexpr (Records::kNetworkKeys) choose_digit();
    const std::size_t chunks = std::min(processors * kChunks, std::size_t{1} << bits_);
    for (std::size_t i = 0; i < chunks; ++i) {
      const Range digits = share_of({0, std::size_t{1} << bits_}, i, chunks);
      chunks_.push_back({digits.begin, digits.end, false});
    }
    claims_.deal_out(chunks_, std::size_t{1} << bits_);
  }

  /// Whether all keys fit the third cache, and a digit seems to tell them apart; and the lines of
  /// the buckets of words fit the second cache.
  static bool pays(const Records& home, std::size_t size, std::size_t processors,
                   const SortConfig& config) {
    const Part whole{0, size, false};
    if (size < MedianSample<Bits>::kKeys || !has_networks_for(home, config)) return false;
    if (size > config.sides_bytes / Records::kRecordBytes ||
        size > std::numeric_limits<Count>::max()) {
      return false;
    }
    const std::uint64_t varying = sampled_bits(home, 0, size, config.sample_records);
    if (varying == 0) return false;
    const MedianSample<Bits> sample(home, whole);
    if (sample.defies_digits() && !routes_by_value(sample, processors)) return false;
    if constexpr (!Records::kNetworkKeys) {
      const std::size_t most = most_in_network<Word>(network_vector_bytes()) / 8 * 3;
      return size >> digit_bits(size, config) <= most;
    }
    return whole_digit(varying).bits > most_fill_bits(size, config.fill_bits);
  }

  /// Called by all. False when a bucket is too large for one processor: then nothing has been
  /// moved, and nobody has failed.
  [[nodiscard]] bool sort(Steps& steps) {
    if (!count(steps)) return true;
    if (!steps.together([&] { sum(steps); })) return true;
    for (const Told& told : told_) {
      if (told.most > most_in_bucket_) return false;
    }
    if (steps.together([&] { place(steps); })) finish(steps);
    return true;
  }

 private:
  using Bits = typename Records::Bits;
  using Count = std::uint32_t;
  // What a network sorts: a key, or a word.
  using Word = std::conditional_t<Records::kNetworkKeys, Bits, std::uint64_t>;
  using SortBucket =
      std::conditional_t<Records::kNetworkKeys, Spreader<Records>, WordSpreader<Records>>;
  static constexpr std::size_t kChunks = 32;  // for each processor

  // What a processor tells the others.
  struct alignas(kNoSharing) Told {
    CommonBits<Bits> common;  // of its share
    Digit digit;
    std::size_t most;  // in a bucket of its share of them
    std::optional<SortBucket> sort_bucket;
  };

  // Where the values of keys lie around one, a bit more leaves fewer too many for a network. 10^6
  // double, normal and exponential, two processors (Zen 5): 1.87 and 1.96 ns a key instead of 1.95
  // and 2.17; uniform ones would take 1.81 instead of 1.69.
  void choose_digit() {
    const Part whole{0, size_, false};
    const MedianSample<Bits> sample(home_, whole);
    if (bits_ < ValueDigit<Bits>::kLeastBits || !routes_by_value(sample, told_.size())) return;
    if (!sample.spreads_values()) bits_ = most_bits(bits_, config_);
    by_value_.emplace(sampled_values(home_, whole, bits_));
  }

  static int most_bits(int bits, const SortConfig& config) noexcept {
    return std::min(bits + 1, config.network_bits);
  }

  // Whether keys are routed by their values, read as floating-point numbers.
  static bool routes_by_value(const MedianSample<Bits>& sample, std::size_t processors) noexcept {
    return processors > 1 && Records::kNetworkKeys && sample.favors_values();
  }

  static bool has_networks_for([[maybe_unused]] const Records& home,
                               const SortConfig& config) noexcept {
    if constexpr (Records::kMayBeWords) return can_spread_words(home, config);
    return takes_sides_soon<Records>(config);
  }

  // Up to 2^13 buckets each is given half a network or less, beyond that a whole one: up to 2^13
  // counts fit the first cache, and a line of each bucket the second. 10^6 uniform keys on two
  // processors (Zen 5), ns a key to count, place and finish:
  //                                         u32                   u64
  //   2^13 buckets                          0.19  0.59  0.28      0.22  0.73  0.73
  //   2^14                                                        0.48  0.88  0.46
  //   2^15                                                        0.40  1.30  0.50
  //   2^7, and each by a second digit       0.19  0.39  0.94      0.18  0.40  1.19
  // Words, which cost much in a bucket too large for a network, are not given whole ones, nor more
  // than 2^13: 10^6 pairs of u32 take one processor 5.1 by way of 2^14, of which placing 3, and 4.0
  // by a second digit.
  static int digit_bits(std::size_t size, const SortConfig& config) noexcept {
    const int least = width_of(size / most_in_network<Word>(network_vector_bytes()));
    if constexpr (!Records::kNetworkKeys) {
      return std::clamp(least + 1, 1, std::max(config.network_bits - 1, 1));
    }
    return std::clamp(least + (least + 1 < config.network_bits ? 1 : 0), 1, config.network_bits);
  }

  Count* row(std::size_t processor) const noexcept { return counts_.row(processor); }
  Count* totals() const noexcept { return counts_.row(told_.size()); }

  // How many buckets there are.
  std::size_t buckets(const Steps& steps) const noexcept {
    return by_value_ ? by_value_->values() : told_[steps.id()].digit.values();
  }

  bool count(Steps& steps) {
    Told& own = told_[steps.id()];
    const bool counted = steps.together([&] {
      own.sort_bucket.emplace(home_, away_, most_in_bucket_, config_);
      if (by_value_) return count_values(steps);
      own.digit = highest_digit(sampled_bits(home_, 0, size_, config_.sample_records), bits_);
      own.common = count_share(steps, own.digit);
    });
    if (!counted || by_value_) return counted;
    CommonBits<Bits> common;
    for (const Told& told : told_) common.add(told.common);
    const Digit digit = highest_digit(common.varying(), bits_);
    if (digit.shift == own.digit.shift && digit.bits == own.digit.bits) return true;
    own.digit = digit;
    return steps.together([&] { count_share(steps, digit); });
  }

  CommonBits<Bits> count_share(const Steps& steps, Digit digit) {
    Count* const counts = row(steps.id());
    std::fill_n(counts, digit.values(), 0);
    const Range share = steps.share(0, size_);
    return count_digit_apart(home_, share.begin, share.end, digit, counts);
  }

  void count_values(const Steps& steps) {
    Count* const counts = row(steps.id());
    std::fill_n(counts, by_value_->values(), 0);
    const Range share = steps.share(0, size_);
    for_digits_apart(home_, {share.begin, share.end, false}, ByVectors<Bits>(*by_value_), NoLine(),
                     [&](std::size_t, std::size_t value) { ++counts[value]; });
  }

  // Afterwards row(i)[d] says where in bucket d the keys of processor i begin, and those of one
  // more its end.
  void sum(const Steps& steps) {
    constexpr std::size_t kTogether = kNoSharing / sizeof(Count);  // digits on the same lines
    const Range own = steps.share(0, ceil_divide(buckets(steps), kTogether));
    const std::size_t end = std::min(own.end * kTogether, buckets(steps));
    std::size_t most = 0;
    for (std::size_t d = own.begin * kTogether; d < end; ++d) {
      Count place = 0;
      for (std::size_t i = 0; i < steps.count(); ++i) place += std::exchange(row(i)[d], place);
      totals()[d] = place;
      most = std::max<std::size_t>(most, place);
    }
    told_[steps.id()].most = most;
  }

  void place(const Steps& steps) {
    Count* const next = row(steps.id());
    Count bucket = 0;
    for (std::size_t d = 0; d < buckets(steps); ++d) {
      next[d] += bucket;
      bucket += totals()[d];
    }
    const Range share = steps.share(0, size_);
    const Digit digit = told_[steps.id()].digit;
    if constexpr (Records::kNetworkKeys) {
      if (by_value_) return place_apart(share, ByVectors<Bits>(*by_value_), next);
      return place_apart(share, digit, next);
    }
    sorting::place<Prefetch::kNext>(home_, share.begin, share.end, digit, away_, next);
  }

  template <class DigitOf>
  void place_apart(const Range& share, const DigitOf& digit, Count* next) {
    Records to = away_;
    const Records from = home_;
    for_digits_apart(from, {share.begin, share.end, false}, digit, NoLine(),
                     [&](std::size_t i, std::size_t value) {
                       // Without asking for lines, placing takes twice as long.
                       place_one<Prefetch::kNext>(from, i, value, to, next);
                     });
  }

  void finish(const Steps& steps) noexcept {
    // Those of the last processor end where the bucket does.
    const Count* const ends = row(steps.count() - 1);
    SortBucket& sort_bucket = *told_[steps.id()].sort_bucket;
    const auto end_of = [&](std::size_t digits) -> std::size_t {
      return digits == 0 ? 0 : ends[digits - 1];
    };
    Claims::Claimer claimer(claims_, steps.id());
    for (auto c = claimer.next(); c != Claims::kNone; c = claimer.next()) {
      const std::size_t last = std::min(chunks_[c].end, buckets(steps));
      const std::size_t limit = end_of(last);
      for (std::size_t d = chunks_[c].begin; d < last; ++d) {
        const Part bucket{end_of(d), ends[d], true};
        if (bucket.size() > 0) sort_bucket.sort_any(bucket, limit);
      }
    }
  }

  Records home_;
  Records away_;
  std::size_t size_;
  const SortConfig& config_;
  int bits_;
  std::optional<ValueDigit<Bits>> by_value_;
  std::size_t most_in_bucket_;
  RowsApart<Count> counts_;  // a row for each processor, and one for their sums
  std::vector<Told> told_;
  std::vector<Part> chunks_;  // of the digits
  Claims claims_;
};

}  // namespace postroom::sorting
