// Spreading: bare keys sorted by one processor, in buckets so small that each is sorted by a
// network of vectors (sort/vectors/network_sort.h).
//
//   spread   by the highest digit that varies, into buckets a quarter as large as a network, as a
//            rule; on its way home each of them is sorted. Those that are too large are spread
//            again
//   by value where digits leave many together that are floating-point numbers, whose values do
//            not: into buckets of equal width (sort/engine/value_digit.h); a bucket of nearly all
//            goes on by a digit
//   around   where many keys are alike, or a digit would leave most of them together, or there are
//            few, or (on Intel's CPUs) values would not give even buckets, and vectors can do it
//            (sort/vectors/vector_sides.h), all are moved to both sides of the median of a sample,
//            and this is written as often as it was there; elsewhere only where it seems to be half
//            of them
//
// Not stable, which cannot be seen on bare keys. A level takes four bits at least.
//
// Cost of 10^4 to 10^5 keys, ns a key: with vectors of 64 bytes 1.5 a u32 and 1.8 a u64 (AMD Zen 5:
// counting 0.3, placing 0.5); with those of 32 2.8 to 3.5 and 4.4 to 5.4 (AMD Zen 3: counting 0.5,
// placing 1 to 1.5, networks 0.8 to 1.7). By value 1.5 a float, 2.3 a double. Memory: a table of
// counts, 16 KiB, a list of the buckets that wait, 1 byte for 5 keys, and 2 bytes for each key, for
// its value, 256 KiB at most. Nothing throws after the constructor.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "sort/engine/config.h"
#include "sort/engine/count.h"
#include "sort/engine/digit.h"
#include "sort/engine/digits_apart.h"
#include "sort/engine/fill.h"
#include "sort/engine/median_sample.h"
#include "sort/engine/part.h"
#include "sort/engine/place.h"
#include "sort/engine/spread_digit.h"
#include "sort/engine/value_digit.h"
#include "sort/engine/written_line.h"
#include "sort/vectors/network_sort.h"
#include "sort/vectors/vector_sides.h"

namespace postroom::sorting {

/// Whether records of this kind are sorted so: bare keys, where the processor has the vectors.
template <class Records>
bool can_spread(const SortConfig& config) noexcept {
  return Records::kNetworkKeys && config.networks && has_networks();
}

/// Whether keys are soonest moved to both sides of one of them where many are alike.
template <class Records>
bool takes_sides_soon(const SortConfig& config) noexcept {
  return can_spread<Records>(config) && has_fast_sides();
}

/// Whether one processor moves a part to both sides of one of the keys until it fits the second
/// cache, rather than splitting it by a digit, whatever the keys are: unless they differ in few
/// bits, where all fit the third one. Precondition: the part is not empty.
template <class Records>
bool is_for_sides_alone(const Records& records, const Part& part, const SortConfig& config) {
  return takes_sides_soon<Records>(config) &&
         part.size() <= config.sides_bytes / Records::kRecordBytes &&
         is_long_to_count(records, part.begin, part.end, config);
}

template <class Records>
class Spreader {
 public:
  /// `home` and `away` hold all keys that parts may name; no part has more than `most_keys`.
  /// Precondition: can_spread(). Throws std::bad_alloc.
  Spreader(const Records& home, const Records& away, std::size_t most_keys,
           const SortConfig& config)
      : home_(home),
        away_(away),
        sides_first_(config.sides_before_digits),
        most_by_value_(std::min(most_keys, kMostByValue)),
        digit_(most_ / 4, most_, kLeastBits, most_keys, most_by_value_, config) {
    waiting_.reserve(most_keys / most_ + 1);
  }

  /// From now on parts are those of other keys.
  void work_at(const Records& home, const Records& away) noexcept {
    home_ = home;
    away_ = away;
  }

  /// How many keys sort_few() sorts at most.
  std::size_t most_in_network() const noexcept { return most_; }

  /// Sorts a part of so few keys and brings it home.
  void sort_few(const Part& part) noexcept { sort_few(part, part.end); }

  /// Sorts a larger one, in which these bits vary, and brings it home; or else returns false and
  /// has not moved anything: most keys would come into very few buckets, and passes over all digits
  /// take less time. Preconditions: less than 2^32 keys, varying != 0.
  [[nodiscard]] bool sort(const Part& part, std::uint64_t varying) noexcept {
    const MedianSample<Bits> sample(side(part.away), part, varying);
    most_for_sides_ = most_for_sides();
    switch (way_of(part, sample)) {
      case Way::kByValue:
        spread_by_value(part);
        break;
      case Way::kAround:
        most_for_sides_ =
            sample.has_many_half_alike() ? kMostLikelyForSides : most_next_for_sides();
        sort_around(part, sample.pivot());
        break;
      case Way::kByDigit:
        if (!spread(part, varying, sample)) return false;
    }
    sort_waiting();
    return true;
  }

  /// Sorts a part of any size and brings it home, whatever bits vary. Nobody else is at work at
  /// [part.end, limit).
  void sort_any(const Part& part, std::size_t limit) noexcept {
    if (part.size() <= most_) return sort_few(part, limit);
    most_for_sides_ = most_for_sides();
    sort_level(part);
    sort_waiting();
  }

 private:
  using Bits = typename Records::Bits;
  using Count = SpreadDigit::Count;
  static constexpr int kLeastBits = 4;
  // Up to so many keys networks are sooner reached by sides than by a digit. 1,000 u32 1.1 ns and
  // 1.5 (AMD Zen 5); 10^4 u32 2.1 and 2.1 to 2.3, float 2.25 and 2.5, those of zipf and S 2.2
  // and 2.6 to 3.2 (Intel Granite Rapids). There 1,000 u64 2.9 and 3.2, double 3.2 and 4.2; 10^4
  // u64 3.9 and 2.8, double 3.9 and 3.3.
  std::size_t most_for_sides() const noexcept {
    if constexpr (sizeof(Bits) > sizeof(std::uint32_t)) return sides_first_ ? 2048 : 512;
    return sides_first_ ? 16384 : 2048;
  }
  // More are moved to sides first.
  static constexpr std::size_t kMostByValue = std::size_t{1} << 17;
  // And so many of a part that was moved to both sides of a key at first: where keys seemed to be
  // alike, like as not for the same reason; where it was only their highest digit (floating-point
  // numbers, most of which have one of very few exponents), a digit tells apart what is left. 10^5
  // uniform double 2.8 ns by digits then, 3.9 by sides; 10^4 in rows (C) 3.8 and 2.8 (AMD Zen 5).
  static constexpr std::size_t kMostLikelyForSides = std::size_t{1} << 16;
  // On Intel's CPUs those of 32 bits go on by sides: 10^5 float of N 2.85 ns by digits then, 2.75
  // so (Granite Rapids).
  std::size_t most_next_for_sides() const noexcept {
    if (sizeof(Bits) == sizeof(std::uint32_t) && sides_first_) return kMostByValue;
    return (std::size_t{1} << 16) / sizeof(Bits);
  }

  enum class Way { kByValue, kAround, kByDigit };

  Records& side(bool away) noexcept { return away ? away_ : home_; }
  const Records& side(bool away) const noexcept { return away ? away_ : home_; }

  Way way_of(const Part& part, const MedianSample<Bits>& sample) const noexcept {
    if (fast_sides_ && part.size() <= most_for_sides_) return Way::kAround;
    // Values tell keys apart that digits do not.
    if (part.size() > most_for_sides_ && part.size() <= most_by_value_ && sample.favors_values()) {
      if (!fast_sides_ || !sides_first_) return Way::kByValue;
      return seem_even_by_value(side(part.away), part) ? Way::kByValue : Way::kAround;
    }
    const bool defies = sample.is_mostly_one() || (fast_sides_ && sample.defies_digits());
    return defies ? Way::kAround : Way::kByDigit;
  }

  // [part.end, limit) is nobody else's, here and below.
  void sort_few(const Part& part, std::size_t limit) noexcept {
    home_.take_sorted(side(part.away), part.begin, part.end, limit);
  }

  void sort_waiting() noexcept {
    while (!waiting_.empty()) {
      const Part next = waiting_.back();
      waiting_.pop_back();
      sort_level(next);
    }
  }

  // What is left to do afterwards waits.
  void sort_level(const Part& part) noexcept {
    const MedianSample<Bits> sample(side(part.away), part);
    switch (way_of(part, sample)) {
      case Way::kByValue:
        return spread_by_value(part);
      case Way::kAround:
        return sort_around(part, sample.pivot());
      case Way::kByDigit:
        return sort_by_digit(part, sample.has_even_digits());
    }
  }

  void sort_by_digit(const Part& part, bool evenly) noexcept {
    const auto varying = common_bits(side(part.away), part.begin, part.end).varying();
    if (varying != 0) {
      return spread_by_digit(part, count_highest(part, varying, evenly));
    }
    if (part.away) home_.take_all(away_, part.begin, part.end);
  }

  void wait_or_sort(const Part& part, std::size_t limit) noexcept {
    if (part.size() > most_) {
      waiting_.push_back(part);  // within what was reserved: no two of them overlap
    } else if (part.size() > 0) {
      sort_few(part, limit);
    }
  }

  // --- By a digit.

  // As sort().
  bool spread(const Part& part, std::uint64_t varying, const MedianSample<Bits>& sample) noexcept {
    const Digit digit = count_highest(part, varying, sample.has_even_digits());
    if (!digit_.is_crowded(part.size(), digit)) {
      spread_by_digit(part, digit);
    } else if (fast_sides_) {
      sort_around(part, sample.pivot());
    } else {
      return false;
    }
    return true;
  }

  Digit count_highest(const Part& part, std::uint64_t varying, bool evenly) noexcept {
    return digit_.count_highest(side(part.away), part, varying, side(!part.away), evenly);
  }

  void spread_by_value(const Part& part) noexcept {
    const std::size_t buckets = digit_.count_values(side(part.away), part, side(!part.away));
    const Part crowded = place_counted(part, digit_.counted_values(), buckets);
    // By their values they may never be told apart.
    if (crowded.size() > 0) sort_by_digit(crowded, false);
  }

  void spread_by_digit(const Part& part, Digit digit) noexcept {
    const Part crowded = place_counted(part, digit, digit.values());
    if (crowded.size() > 0) waiting_.push_back(crowded);
  }

  // A bucket of nearly all keys, too many for a network, is left and returned.
  template <class DigitOf>
  Part place_counted(const Part& part, const DigitOf& digit, std::size_t buckets) noexcept {
    Count* const ends = digit_.ends();
    places_from_counts(ends, buckets, Count{0});
    if (asks_for_written_line) {
      place<Prefetch::kWritten>(part, digit, ends);
    } else {
      place<Prefetch::kNo>(part, digit, ends);
    }
    Part bucket{part.begin, part.begin, !part.away};
    Part crowded;
    for (std::size_t d = 0; d < buckets; ++d) {
      bucket.begin = std::exchange(bucket.end, part.begin + ends[d]);
      if (is_nearly_all(bucket, part)) {
        crowded = bucket;
      } else {
        wait_or_sort(bucket, part.end);
      }
    }
    return crowded;
  }

  // Whether what was to be told apart has hardly been: then a digit does so.
  bool is_nearly_all(const Part& rest, const Part& all) const noexcept {
    return rest.size() > most_ && rest.size() > all.size() / 8 * 7;
  }

  template <Prefetch kPrefetch, class DigitOf>
  void place(const Part& part, const DigitOf& digit, Count* next) noexcept {
    const Records from = side(part.away).from(part.begin);
    Records to = side(!part.away).from(part.begin);
    for_digits_apart(
        from, {0, part.size(), false}, digit, NoLine(),
        [&](std::size_t i, std::size_t value) { place_one<kPrefetch>(from, i, value, to, next); });
  }

  // --- Around a key.

  void sort_around(const Part& part, const Pivot<Bits>& pivot) noexcept {
    const Sides sides = side(!part.away).take_sides(side(part.away), part.begin, part.end, pivot);
    const std::size_t low = part.begin + sides.below;
    const std::size_t high = part.end - sides.above;
    home_.fill(low, high, pivot.key);
    for (const Part& rest : {Part{part.begin, low, !part.away}, Part{high, part.end, part.away}}) {
      if (is_nearly_all(rest, part)) {
        sort_by_digit(rest, false);
      } else {
        wait_or_sort(rest, part.end);
      }
    }
  }

  Records home_;
  Records away_;
  std::size_t most_ = sorting::most_in_network<Bits>(network_vector_bytes());
  bool fast_sides_ = has_fast_sides();
  bool sides_first_;
  std::size_t most_for_sides_ = most_for_sides();
  std::size_t most_by_value_;
  SpreadDigit digit_;
  std::vector<Part> waiting_;  // parts that are too large for a network
};

}  // namespace postroom::sorting
