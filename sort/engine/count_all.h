// Keys alone that differ in few bits, counted all at once and written.
//
//   count   each processor its share, in a table of its own, with a count for each value. The bits
//           that differ are guessed from some keys; where others turn out to, all count again
//   sum     each processor adds up its share of the tables
//   write   each processor its share of the keys
//
// Nothing is moved, and there is no scratch beside the counts, 4 bytes for each value and processor
// (8 where 4 do not hold the number of keys): up to 2 MiB for each processor, or a byte for each
// key.
//
// Source: the counting sort of [H], section 4.1, with all bits that differ as the digit and nothing
// to move. Cost: three barriers. 10^8 u32 of 2^17 to 2^21 values by one processor (AMD Zen 5):
// counting 0.4 to 0.6 ns a key, writing 0.13 to 0.3; by two 0.6 for both instead of 1.0. 10^5 u32
// of 2^13, 2^16, 2^17 values 0.7, 1.3, 1.8 ns, by networks 1.95; u64 0.9, 1.45, 1.95 and 2.9 (Intel
// Granite Rapids).
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "numa/cacheline.h"
#include "numa/rounding.h"
#include "sort/engine/config.h"
#include "sort/engine/count.h"
#include "sort/engine/digit.h"
#include "sort/engine/fill.h"
#include "sort/engine/rows_apart.h"
#include "sort/engine/steps.h"

namespace postroom::sorting {

template <class Records>
class CountAll {
 public:
  /// Of home[0, size). `config` must outlive it.
  CountAll(const Records& home, std::size_t size, std::size_t processors, const SortConfig& config)
      : home_(home), size_(size), config_(config), told_(processors) {}

  /// Whether a look at few keys does not rule it out for one processor.
  static bool pays(const Records& home, std::size_t size, const SortConfig& config) {
    constexpr std::size_t kLeast = 1 << 11;
    constexpr std::size_t kLookedAt = 16;
    if (size < kLeast) return false;
    const std::uint64_t varying = sampled_bits(home, 0, size, kLookedAt);
    return varying == 0 || whole_digit(varying).bits <= most_bits(size, config);
  }

  /// Called by all. Sorts if that is the way; false otherwise, and nothing has been moved. True,
  /// too, where somebody has failed: a table could not be had.
  [[nodiscard]] bool sort(Steps& steps) {
    const bool few = size_ <= std::numeric_limits<std::uint32_t>::max();
    return few ? sort_with<std::uint32_t>(steps) : sort_with<std::uint64_t>(steps);
  }

  /// After sort() has returned false, to a processor of the team: the digit outside of which no key
  /// of a sample differs from the first one, but others do, where it was counted in vain.
  std::optional<Digit> misled_by(std::size_t id) const noexcept { return told_[id].misled_by; }

  /// The same with this type of counts, which holds the number of keys.
  template <class Count>
  [[nodiscard]] bool sort_with(Steps& steps) {
    const int most = most_bits(size_ / told_.size(), config_);
    std::optional<Digit>& misled_by = told_[steps.id()].misled_by;
    misled_by.reset();
    std::uint64_t varying = sampled_bits(home_, 0, size_, config_.sample_records);
    while (varying != 0) {
      const Digit digit = whole_digit(varying);
      if (digit.bits > most) return false;
      if (!steps.together([&] { count<Count>(steps, digit); })) return true;
      CommonBits<Bits> common;
      for (const Told& told : told_) common.add(told.common);
      if ((common.varying() & ~(low_bits(digit.bits) << digit.shift)) == 0) {
        write<Count>(steps, digit, common);
        return true;
      }
      varying |= common.varying();
      misled_by = digit;
      // Nobody counts again before all have seen what was counted.
      if (!steps.together([] {})) return true;
    }
    return false;
  }

 private:
  using Bits = typename Records::Bits;

  // What a processor tells the others.
  struct alignas(kNoSharing) Told {
    // One row in one of them, made by the processor itself.
    RowsApart<std::uint32_t> counts;
    RowsApart<std::uint64_t> large_counts;
    CommonBits<Bits> common;  // of its share
    std::optional<Digit> misled_by;
  };

  template <class Count>
  static RowsApart<Count>& counts_of(Told& told) noexcept {
    if constexpr (std::same_as<Count, std::uint32_t>) {
      return told.counts;
    } else {
      return told.large_counts;
    }
  }

  // In how many bits so many keys of one processor may differ: where its counts take up to 2 MiB,
  // two values for each key pay; else most should occur several times.
  static int most_bits(std::size_t keys, const SortConfig& config) noexcept {
    constexpr int kSoonCounted = 19;
    const int width = width_of(keys);
    return std::clamp(std::max(std::min(width, kSoonCounted), width - 3), 0, config.count_all_bits);
  }

  template <class Count>
  void count(const Steps& steps, Digit digit) {
    Told& own = told_[steps.id()];
    RowsApart<Count>& table = counts_of<Count>(own);
    table = {};
    table = {1, digit.values()};
    Count* const counts = table.row(0);
    std::fill_n(counts, digit.values(), 0);
    const Range share = steps.share(0, size_);
    own.common = count_digit_apart(home_, share.begin, share.end, digit, counts);
  }

  // The sums are in the first table then.
  template <class Count>
  void sum(const Steps& steps, Digit digit) noexcept {
    constexpr std::size_t kTogether = kNoSharing / sizeof(Count);  // counts on the same lines
    const Range lines = steps.share(0, ceil_divide(digit.values(), kTogether));
    const std::size_t end = std::min(lines.end * kTogether, digit.values());
    Count* const sums = counts_of<Count>(told_[0]).row(0);
    for (std::size_t i = 1; i < told_.size(); ++i) {
      const Count* const counts = counts_of<Count>(told_[i]).row(0);
      for (std::size_t d = lines.begin * kTogether; d < end; ++d) sums[d] += counts[d];
    }
  }

  template <class Count>
  void write(Steps& steps, Digit digit, const CommonBits<Bits>& common) {
    if (told_.size() > 1 && !steps.together([&] { sum<Count>(steps, digit); })) return;
    steps.apart([&] {
      write_counted(home_, steps.share(0, size_), {0, size_}, digit, common,
                    counts_of<Count>(told_[0]).row(0));
    });
  }

  Records home_;
  std::size_t size_;
  const SortConfig& config_;
  std::vector<Told> told_;
};

}  // namespace postroom::sorting
