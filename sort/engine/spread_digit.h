// The digit that one processor spreads a part by, and how many go into each bucket: what
// sort/engine/spread.h does with bare keys, sort/engine/spread_words.h and
// sort/engine/spread_records.h with records.
//
// Memory: a table of counts, 16 KiB at most with the usual thresholds, and two bytes for each
// record that is spread by its value. Cost of counting: 0.25 ns a record in cache (AMD Zen 5).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "sort/engine/config.h"
#include "sort/engine/digit.h"
#include "sort/engine/digits_apart.h"
#include "sort/engine/part.h"
#include "sort/engine/value_digit.h"
#include "sort/engine/written_line.h"

namespace postroom::sorting {

class SpreadDigit {
 public:
  using Count = std::uint32_t;

  /// For parts of up to `most_records`, to be spread by `least_bits` or more into buckets of about
  /// `aim`; what has more than `most` must be spread again. For count_values() of up to
  /// `most_values`. Throws std::bad_alloc.
  SpreadDigit(std::size_t aim, std::size_t most, int least_bits, std::size_t most_records,
              std::size_t most_values, const SortConfig& config)
      : aim_(aim),
        most_(most),
        least_bits_(least_bits),
        most_bits_(std::clamp(wanted_bits(most_records), least_bits_, config.spread_bits)),
        light_bits_(config.light_bits),
        ends_(std::make_unique_for_overwrite<Count[]>(std::size_t{1} << most_bits_)),
        values_(std::make_unique_for_overwrite<std::uint16_t[]>(most_values)) {}

  /// The counts of each value, which become places, and then ends.
  Count* ends() noexcept { return ends_.get(); }

  /// Counts the highest digit of these varying bits, which seem to be spread evenly or not. On the
  /// way asks for the lines of `to` that will be written when the records are placed.
  /// Preconditions: less than 2^32 records, varying != 0.
  template <class Records>
  Digit count_highest(const Records& from, const Part& part, std::uint64_t varying,
                      const Records& to, bool evenly) {
    const Digit digit = highest_digit(varying, spread_bits(part.size(), evenly));
    count(from, part, digit, to);
    return digit;
  }

  /// Whether a digit of all these bits is as good: it leaves nothing to do.
  bool takes_whole(std::size_t records, std::uint64_t varying) const noexcept {
    const int bits = whole_digit(varying).bits;
    return bits <= most_bits_ && std::size_t{2} << bits <= records;
  }
  /// The same of all these bits. Precondition: takes_whole().
  template <class Records>
  Digit count_whole(const Records& from, const Part& part, std::uint64_t varying,
                    const Records& to) {
    const Digit digit = whole_digit(varying);
    count(from, part, digit, to);
    return digit;
  }

  /// The same by the values of the keys, read as floating-point numbers
  /// (sort/engine/value_digit.h). Returns how many buckets there are.
  template <class Records>
  std::size_t count_values(const Records& from, const Part& part, const Records& to) {
    const bool evenly = may_be_lighter(part.size()) && seem_even_by_value(from, part);
    const auto digit = sampled_values(from, part, spread_bits(part.size(), evenly));
    count(from, part, WrittenDown<decltype(digit)>{digit, values_.get()}, to);
    return digit.values();
  }
  /// The buckets that count_values() has found, for as many records.
  ReadAgain counted_values() const noexcept { return {values_.get()}; }

  /// Whether most records are in buckets that are far too large.
  template <class DigitOf>
  bool is_crowded(std::size_t records, const DigitOf& digit) const noexcept {
    const std::size_t many = std::max(most_, 4 * (records / digit.values()));
    std::size_t crowded = 0;
    for (std::size_t d = 0; d < digit.values(); ++d) crowded += ends_[d] > many ? ends_[d] : 0;
    return crowded > records / 2;
  }

 private:
  // So many that a bucket has three quarters of `aim` to one and a half times as many, as a rule.
  int wanted_bits(std::size_t records) const noexcept {
    return width_of(records + records / 3) - width_of(aim_);
  }

  // Where one digit is not nearly enough, the next one gets as much of it.
  int spread_bits(std::size_t records, bool evenly) const noexcept {
    const int wanted = std::max(wanted_bits(records), least_bits_);
    if (evenly && may_be_lighter(records)) {
      const int enough = std::max(enough_bits(records), light_bits_);
      if (enough <= most_bits_) return std::min(enough, wanted);
    }
    return std::min(wanted <= most_bits_ + 1 ? wanted : (wanted + 1) / 2, most_bits_);
  }

  // Where a write to a line that is not in the first cache takes long, buckets are rather larger
  // than so many that their lines do not fit it: 10^5 uniform u64 3.9 and 3.3 ns, u32 2.55 and 2.1,
  // float 2.8 and 2.4 (Intel Granite Rapids).
  bool may_be_lighter(std::size_t records) const noexcept {
    return asks_for_written_line && wanted_bits(records) > light_bits_;
  }
  // So many that a bucket has four fifths of `most` at most, as a rule.
  int enough_bits(std::size_t records) const noexcept {
    return width_of((records + records / 4) / most_);
  }

  template <class Records, class DigitOf>
  void count(const Records& from, const Part& part, const DigitOf& digit, const Records& to) {
    std::fill_n(ends_.get(), digit.values(), 0);
    Count* const counts = ends_.get();
    for_digits_apart(
        from, part, digit, [&](std::size_t first) { to.prefetch_after(first); },
        [&](std::size_t, std::size_t value) { ++counts[value]; });
  }

  std::size_t aim_;
  std::size_t most_;
  int least_bits_;
  int most_bits_;
  int light_bits_;
  std::unique_ptr<Count[]> ends_;
  std::unique_ptr<std::uint16_t[]> values_;  // of count_values()
};

}  // namespace postroom::sorting
