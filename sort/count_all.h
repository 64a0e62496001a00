// Keys alone that differ in few bits, counted all at once and written.
//
//   count   each processor its share, in a table of its own, with a count for each value. The bits
//           that differ are guessed from some keys; where others turn out to, all count again
//   sum     each processor adds up its share of the tables
//   write   each processor its share of the keys
//
// Nothing is moved, and there is no scratch beside the counts, 4 bytes for each value and
// processor: as much as the keys at most.
//
// Source: the counting sort of [H], section 4.1, with all bits that differ as the digit and nothing
// to move. Cost: three barriers. 10^8 u32 of 2^17 to 2^21 values by one processor (AMD Zen 5):
// counting 0.4 to 0.6 ns a key, writing 0.13 to 0.3; by two 0.6 for both instead of 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "numa/cacheline.h"
#include "numa/rounding.h"
#include "sort/config.h"
#include "sort/count.h"
#include "sort/digit.h"
#include "sort/fill.h"
#include "sort/rows_apart.h"
#include "sort/steps.h"

namespace postroom::sorting {

template <class Records>
class CountAll {
 public:
  /// Of home[0, size). `config` must outlive it.
  CountAll(const Records& home, std::size_t size, std::size_t processors, const SortConfig& config)
      : home_(home), size_(size), config_(config), told_(processors) {}

  /// Called by all. Sorts if that is the way; false otherwise, and nothing has been moved. True,
  /// too, where somebody has failed: a table could not be had.
  [[nodiscard]] bool sort(Steps& steps) {
    if (size_ > std::numeric_limits<Count>::max()) return false;
    const int most = most_fill_bits(size_ / told_.size(), config_.count_all_bits);
    std::uint64_t varying = sampled_bits(home_, 0, size_, config_.sample_records);
    while (varying != 0) {
      const Digit digit = whole_digit(varying);
      if (digit.bits > most) return false;
      if (!steps.together([&] { count(steps, digit); })) return true;
      CommonBits<Bits> common;
      for (const Told& told : told_) common.add(told.common);
      if ((common.varying() & ~(low_bits(digit.bits) << digit.shift)) == 0) {
        write(steps, digit, common);
        return true;
      }
      varying |= common.varying();
      // Nobody counts again before all have seen what was counted.
      if (!steps.together([] {})) return true;
    }
    return false;
  }

 private:
  using Bits = typename Records::Bits;
  using Count = std::uint32_t;

  // What a processor tells the others.
  struct alignas(kNoSharing) Told {
    RowsApart<Count> counts;  // one row, made by the processor itself
    CommonBits<Bits> common;  // of its share
  };

  void count(const Steps& steps, Digit digit) {
    Told& own = told_[steps.id()];
    own.counts = {};
    own.counts = {1, digit.values()};
    Count* const counts = own.counts.row(0);
    std::fill_n(counts, digit.values(), 0);
    const Range share = steps.share(0, size_);
    own.common = count_digit_apart(home_, share.begin, share.end, digit, counts);
  }

  // The sums are in the first table then.
  void sum(const Steps& steps, Digit digit) noexcept {
    constexpr std::size_t kTogether = kNoSharing / sizeof(Count);  // counts on the same lines
    const Range lines = steps.share(0, ceil_divide(digit.values(), kTogether));
    const std::size_t end = std::min(lines.end * kTogether, digit.values());
    Count* const sums = told_[0].counts.row(0);
    for (std::size_t i = 1; i < told_.size(); ++i) {
      const Count* const counts = told_[i].counts.row(0);
      for (std::size_t d = lines.begin * kTogether; d < end; ++d) sums[d] += counts[d];
    }
  }

  void write(Steps& steps, Digit digit, const CommonBits<Bits>& common) {
    if (told_.size() > 1 && !steps.together([&] { sum(steps, digit); })) return;
    steps.apart([&] {
      const Range share = steps.share(0, size_);
      write_counted(home_, share.begin, share.end, 0, digit, common, told_[0].counts.row(0));
    });
  }

  Records home_;
  std::size_t size_;
  const SortConfig& config_;
  std::vector<Told> told_;
};

}  // namespace postroom::sorting
