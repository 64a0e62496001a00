// Records that are a few rows in order, one behind the other, as when sorted batches have been
// appended to each other: the rows are merged by twos.
//
//   find    some keys spread over the records tell whether a closer look is worth while; then each
//           processor reads its share, and stops where there are too many rows
//   merge   in turns from home to away and back, each processor its share of what comes out
//
// Stable. Cost: a read to find the rows, and log2(rows) reads and writes of all (sort/merge_two.h);
// one more to bring them home where that number is odd; a barrier for each. Memory: `away` has room
// for as many records as `home`. Errors: what a key throws is kept by the steps; the records at
// home are a permutation.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "numa/cacheline.h"
#include "sort/cold.h"
#include "sort/config.h"
#include "sort/merge_two.h"
#include "sort/order.h"
#include "sort/steps.h"

namespace postroom::sorting {

template <class Records>
class FewRows {
 public:
  /// Of more, merging takes longer than sorting; of bare keys of 4 bytes of more than two.
  // Two rows take 0.3 to 0.6 times as long as sorting does, four 0.4 to 1 times (Zen 4, 10^4 to
  // 10^6, one and two processors, keys of 8 bytes and records).
  static constexpr std::size_t kMostRows =
      Records::kWholeKeys && Records::kRecordBytes <= 4 ? 2 : 4;

  /// Whether it is worth a look: of some keys spread over all, few are below the one before.
  static bool pays(const Records& home, std::size_t size, const SortConfig& config) {
    if (size < config.row_records) return false;
    const std::size_t step = std::max<std::size_t>(size / config.sample_records, 1);
    std::size_t falls = 0;
    for (std::size_t i = step; i < size && falls < kMostRows; i += step) {
      falls += static_cast<std::size_t>(home.key(i) < home.key(i - step));
    }
    return falls < kMostRows;
  }

  /// For home[0, size) and so many processors. Throws std::bad_alloc.
  FewRows(const Records& home, const Records& away, std::size_t size, std::size_t processors,
          const SortConfig& config)
      : home_(home), away_(away), size_(size), config_(config), told_(processors) {}

  /// Called by all. False: these are no few rows, and nothing has been moved. `cold` is the memory
  /// of `away` that nobody has touched yet. Not inlined, as above all it is rare.
  [[gnu::noinline]] bool sort(Steps& steps, std::span<std::byte> cold) {
    if (!steps.together([&] { told_[steps.id()] = look(steps); })) return true;
    Rows rows;
    for (const Told& told : told_) {
      if (!rows.add(told)) return false;
    }
    rows.begins[rows.count] = size_;
    if (!steps.together([&] { touch_share(steps, cold); })) return true;
    bool away = false;
    for (; rows.count > 1; rows.halve(), away = !away) {
      if (!merge_rows(steps, rows, away)) {
        if (away) bring_home(steps);
        return true;
      }
    }
    if (away) bring_home(steps);
    return true;
  }

 private:
  // Where rows begin in the share of one processor, the first row aside; one too many at most.
  struct alignas(kNoSharing) Told {
    std::size_t count = 0;
    std::array<std::size_t, kMostRows> begins{};
  };
  struct Rows {
    std::size_t count = 1;
    std::array<std::size_t, kMostRows + 1> begins{};  // and where the last one ends

    bool add(const Told& told) noexcept {
      if (count + told.count > kMostRows) return false;
      std::copy_n(told.begins.begin(), told.count,
                  begins.begin() + static_cast<std::ptrdiff_t>(count));
      count += told.count;
      return true;
    }
    // After rows have been merged by twos.
    void halve() noexcept {
      const std::size_t end = begins[count];
      for (std::size_t row = 0; row < count; row += 2) begins[row / 2] = begins[row];
      count = (count + 1) / 2;
      begins[count] = end;
    }
  };

  Told look(const Steps& steps) const {
    Told told;
    if (!pays(home_, size_, config_)) {
      told.count = kMostRows;
      return told;
    }
    const Range own = steps.share(0, size_);
    const bool by_vectors = vectors_find_falls(home_);
    for (std::size_t i = std::max<std::size_t>(own.begin, 1); told.count < kMostRows && i < own.end;
         ++i) {
      i = next_fall(home_, i, own.end, by_vectors);
      if (i < own.end) told.begins[told.count++] = i;
    }
    return told;
  }

  // Merges the rows by twos to the other side: from `away` home, or from home. One step. False
  // where somebody has failed; the side that they come from is whole.
  bool merge_rows(Steps& steps, const Rows& rows, bool away) {
    return steps.together([&] {
      const Range own = steps.share(0, size_);
      // Copies: what is taken could change what lies in memory.
      const Records from = away ? away_ : home_;
      Records to = away ? home_ : away_;
      for (std::size_t row = 0; row < rows.count; row += 2) {
        const std::size_t begin = rows.begins[row];
        const std::size_t second = rows.begins[row + 1];
        const std::size_t end = rows.begins[std::min(row + 2, rows.count)];
        const Range part{std::max(own.begin, begin), std::min(own.end, end)};
        if (part.begin >= part.end) continue;
        const auto key = [from](std::size_t i) { return from.key(i); };
        const TwoRows<> all{begin, second, second, end, begin};
        merge_two(all.cut(part.end - begin, key).first.cut(part.begin - begin, key).second, key,
                  [from, to](std::size_t at, std::size_t i) mutable { to.take(at, from, i); });
      }
    });
  }

  void bring_home(Steps& steps) {
    steps.in_any_case([&] {
      const Range own = steps.share(0, size_);
      home_.take_all(away_, own.begin, own.end);
    });
  }

  Records home_;
  Records away_;
  std::size_t size_;
  const SortConfig& config_;
  std::vector<Told> told_;
};

}  // namespace postroom::sorting
