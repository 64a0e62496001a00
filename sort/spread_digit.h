// The digit that one processor spreads a part by, and how many go into each bucket: what
// sort/spread.h does with bare keys and sort/spread_records.h with records.
//
// Memory: a table of counts, 16 KiB at most with the usual thresholds. Cost of counting: 0.25 ns a
// record in cache (AMD Zen 5).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "numa/cacheline.h"
#include "sort/config.h"
#include "sort/digit.h"
#include "sort/part.h"

namespace postroom::sorting {

class SpreadDigit {
 public:
  using Count = std::uint32_t;

  /// For parts of up to `most_records`, to be spread by `least_bits` or more into buckets of about
  /// `aim`; what has more than `most` must be spread again. Throws std::bad_alloc.
  SpreadDigit(std::size_t aim, std::size_t most, int least_bits, std::size_t most_records,
              const SortConfig& config)
      : aim_(aim),
        most_(most),
        least_bits_(least_bits),
        most_bits_(std::clamp(wanted_bits(most_records), least_bits_, config.spread_bits)),
        ends_(std::make_unique_for_overwrite<Count[]>(std::size_t{1} << most_bits_)) {}

  /// The counts of each value, which become places, and then ends.
  Count* ends() noexcept { return ends_.get(); }

  /// Counts the highest digit of these varying bits. On the way asks for the lines of `to` that
  /// will be written when the records are placed. Preconditions: less than 2^32 records, varying !=
  /// 0.
  template <class Records>
  Digit count_highest(const Records& from, const Part& part, std::uint64_t varying,
                      const Records& to) {
    const Digit digit = highest_digit(varying, spread_bits(part.size()));
    std::fill_n(ends_.get(), digit.values(), 0);
    count_apart(from, part, digit, to);
    return digit;
  }

  /// Whether most records are in buckets that are far too large.
  bool is_crowded(std::size_t records, Digit digit) const noexcept {
    const std::size_t many = std::max(most_, 4 * (records >> digit.bits));
    std::size_t crowded = 0;
    for (std::size_t d = 0; d < digit.values(); ++d) crowded += ends_[d] > many ? ends_[d] : 0;
    return crowded > records / 2;
  }

  /// Neighbours often have the same digit, and the next of them would have to wait for the one
  /// before; so keys far apart are taken by turns. Rows in order are seldom five.
  static constexpr std::size_t kStreams = 5;

 private:
  // So many that a bucket has three quarters of `aim` to one and a half times as many, as a rule.
  int wanted_bits(std::size_t records) const noexcept {
    return width_of(records + records / 3) - width_of(aim_);
  }

  // Where one digit is not nearly enough, the next one gets as much of it.
  int spread_bits(std::size_t records) const noexcept {
    const int wanted = std::max(wanted_bits(records), least_bits_);
    return std::min(wanted <= most_bits_ + 1 ? wanted : (wanted + 1) / 2, most_bits_);
  }

  template <class Records>
  void count_apart(const Records& from, const Part& part, Digit digit, const Records& to) {
    constexpr std::size_t kLine = std::max<std::size_t>(kCacheLine / Records::kRecordBytes, 1);
    const std::size_t length = part.size() / kStreams;
    Count* const counts = ends_.get();
    const auto count_some = [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        std::array<std::size_t, kStreams> digits;
        for (std::size_t j = 0; j < kStreams; ++j) digits[j] = digit.of(from.key(i + j * length));
        for (std::size_t j = 0; j < kStreams; ++j) ++counts[digits[j]];
      }
    };
    const std::size_t end = part.begin + length;
    std::size_t i = part.begin;
    for (; i + kLine <= end; i += kLine) {
      for (std::size_t j = 0; j < kStreams; ++j) to.prefetch_after(i + j * length);
      count_some(i, i + kLine);
    }
    count_some(i, end);
    for (i = part.begin + kStreams * length; i < part.end; ++i) ++counts[digit.of(from.key(i))];
  }

  std::size_t aim_;
  std::size_t most_;
  int least_bits_;
  int most_bits_;
  std::unique_ptr<Count[]> ends_;
};

}  // namespace postroom::sorting
