// Spreading: bare keys sorted by one processor, in buckets so small that each is sorted by a
// network of vectors (sort/network_sort.h).
//
//   spread   by the highest digit that varies, into buckets that are half as large as a network, as
//            a rule; on its way home each of them is sorted. Those that are too large are spread
//            again
//   around   where one key seems to be most of what is there, the others are moved to both sides
//            of it, and it is written as often as it was there
//
// Not stable, which cannot be seen on bare keys. Cost: 2.8 to 3.5 ns a u32 and 4.4 to 5.4 a u64 for
// 10^3 to 10^5 keys (AMD Zen 3): counting 0.5, placing 1 to 1.5, networks 0.8 to 1.7. A level takes
// four bits at least. Memory: a table of counts, 16 KiB, and a list of the buckets that wait, 1
// byte for 5 keys. Nothing throws after the constructor.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "sort/config.h"
#include "sort/count.h"
#include "sort/digit.h"
#include "sort/network_sort.h"
#include "sort/part.h"
#include "sort/place.h"

namespace postroom::sorting {

/// Whether records of this kind are sorted so: bare keys, where the processor has the vectors.
template <class Records>
bool can_spread(const SortConfig& config) noexcept {
  return Records::kNetworkKeys && config.networks && has_networks();
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
        most_bits_(std::clamp(wanted_bits(most_keys), kLeastBits, config.spread_bits)),
        ends_(std::make_unique_for_overwrite<Count[]>(std::size_t{1} << most_bits_)) {
    waiting_.reserve(most_keys / kMost + 1);
  }

  /// Sorts a part of kMostInNetwork keys at most and brings it home.
  void sort_few(const Part& part) noexcept { sort_few(part, part.end); }

  /// Sorts a larger one and brings it home; or else returns false and has not moved anything: most
  /// keys would come into very few buckets, and passes over all digits take less time.
  /// Precondition: less than 2^32 keys.
  [[nodiscard]] bool sort(const Part& part) noexcept {
    if (!sort_level(part, true)) return false;
    while (!waiting_.empty()) {
      const Part next = waiting_.back();
      waiting_.pop_back();
      (void)sort_level(next, false);
    }
    return true;
  }

 private:
  using Bits = typename Records::Bits;
  using Count = std::uint32_t;
  static constexpr std::size_t kMost = kMostInNetwork<Bits>;
  static constexpr int kLeastBits = 4;

  Records& side(bool away) noexcept { return away ? away_ : home_; }

  // [part.end, limit) is nobody else's, here and below.
  void sort_few(const Part& part, std::size_t limit) noexcept {
    home_.take_sorted(side(part.away), part.begin, part.end, limit);
  }

  // What is left to do afterwards waits. May return false, as sort() does, only if `may_refuse`.
  bool sort_level(const Part& part, bool may_refuse) noexcept {
    if (sort_around_frequent(part)) return true;
    const auto varying = common_bits(side(part.away), part.begin, part.end).varying();
    if (varying != 0) return spread(part, varying, may_refuse);
    if (part.away) home_.take_all(away_, part.begin, part.end);
    return true;
  }

  void wait_or_sort(const Part& part, std::size_t limit) noexcept {
    if (part.size() > kMost) {
      waiting_.push_back(part);  // within what was reserved: no two of them overlap
    } else if (part.size() > 0) {
      sort_few(part, limit);
    }
  }

  // --- By a digit.

  // So many that a bucket has three eighths of the keys of a network at most, as a rule.
  static int wanted_bits(std::size_t keys) noexcept {
    return width_of(keys + keys / 3) - width_of(kMost) + 2;
  }

  // Where one digit is not nearly enough, the next one gets as much of it.
  int spread_bits(std::size_t keys) const noexcept {
    const int wanted = std::max(wanted_bits(keys), kLeastBits);
    return std::min(wanted <= most_bits_ + 1 ? wanted : (wanted + 1) / 2, most_bits_);
  }

  bool spread(const Part& part, std::uint64_t varying, bool may_refuse) noexcept {
    const Digit digit = highest_digit(varying, spread_bits(part.size()));
    std::fill_n(ends_.get(), digit.values(), 0);
    count_digit(side(part.away), part.begin, part.end, digit, ends_.get());
    if (may_refuse && is_crowded(part.size(), digit)) return false;
    places_from_counts(ends_.get(), digit.values(), Count{0});
    place<Prefetch::kNo>(side(part.away).from(part.begin), 0, part.size(), digit,
                         side(!part.away).from(part.begin), ends_.get());
    Part bucket{part.begin, part.begin, !part.away};
    for (std::size_t d = 0; d < digit.values(); ++d) {
      bucket.begin = std::exchange(bucket.end, part.begin + ends_[d]);
      wait_or_sort(bucket, part.end);
    }
    return true;
  }

  // Whether most keys are in buckets that are far too large.
  bool is_crowded(std::size_t keys, Digit digit) const noexcept {
    const std::size_t many = std::max(kMost, 4 * (keys >> digit.bits));
    std::size_t crowded = 0;
    for (std::size_t d = 0; d < digit.values(); ++d) crowded += ends_[d] > many ? ends_[d] : 0;
    return crowded > keys / 2;
  }

  // --- Around a key.

  bool sort_around_frequent(const Part& part) noexcept {
    Bits key = 0;
    if (!find_frequent(part, key)) return false;
    const Records& from = side(part.away);
    Records& to = side(!part.away);
    std::size_t low = part.begin;
    std::size_t high = part.end;
    // Each key is written to both sides, and stays at most at one of them: not a branch. There is
    // always a free place.
    for (std::size_t i = part.begin; i < part.end; ++i) {
      const Bits one = from.key(i);
      to.take(low, from, i);
      low += one < key;
      to.take(high - 1, from, i);
      high -= one > key;
    }
    home_.fill(low, high, key);
    wait_or_sort({part.begin, low, !part.away}, part.end);
    wait_or_sort({high, part.end, !part.away}, part.end);
    return true;
  }

  // Whether a half of a few keys are alike, and which: by the majority vote that HeavyTable takes,
  // too.
  bool find_frequent(const Part& part, Bits& key) noexcept {
    constexpr std::size_t kSample = 16;
    const std::size_t step = part.size() / kSample;
    const auto sampled = [&](std::size_t i) { return side(part.away).key(part.begin + i * step); };
    std::size_t votes = 0;
    for (std::size_t i = 0; i < kSample; ++i) {
      if (votes == 0) key = sampled(i);
      votes = sampled(i) == key ? votes + 1 : votes - 1;
    }
    std::size_t alike = 0;
    for (std::size_t i = 0; i < kSample; ++i) alike += sampled(i) == key;
    return alike >= kSample / 2;
  }

  Records home_;
  Records away_;
  int most_bits_;
  std::unique_ptr<Count[]> ends_;  // of the buckets
  std::vector<Part> waiting_;      // parts that are too large for a network
};

}  // namespace postroom::sorting
