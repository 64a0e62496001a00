// Records that are a few rows in order, one behind the other, as when sorted batches have been
// appended to each other: the rows are merged.
//
//   find    some keys spread over the records tell whether a closer look is worth while; then each
//           processor reads its share, and stops where there are too many rows
//   guess   merging some of the records without writing them tells whether a CPU can guess which
//           row is next
//   merge   in turns from home to away and back, each processor its share of what comes out: by
//           fours where it can (sort/engine/merge_guessed.h), by twos where it cannot
//           (sort/engine/merge_two.h), which only few rows are worth; two rows that do not fit
//           a cache with their room where they lie (sort/engine/merge_at_home.h)
//
// Stable. Cost: a read to find the rows, and log4 or log2(rows) reads and writes of all; one more
// to bring them home where that number is odd; two barriers for each. Memory: `away` has room for
// as many records as `home`; 520 bytes for each processor. Errors: what a key throws is kept by the
// steps; the records at home are a permutation.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <span>

#include "numa/cacheline.h"
#include "sort/engine/cold.h"
#include "sort/engine/config.h"
#include "sort/engine/from_end.h"
#include "sort/engine/merge_at_home.h"
#include "sort/engine/merge_guessed.h"
#include "sort/engine/merge_two.h"
#include "sort/engine/order.h"
#include "sort/engine/steps.h"

namespace postroom::sorting {

template <class Records>
class FewRows {
 public:
  /// Of more, merging takes longer than sorting, where it cannot be guessed which row is next: of
  /// bare keys of 4 bytes of more than two, of others of four, of few records of eight.
  // Two rows take 0.3 to 0.6 times as long as sorting does, four 0.4 to 1 times (Zen 4, 10^4 to
  // 10^6, one and two processors, keys of 8 bytes and records).
  // Rows of random keys, ns a pair to sort and so (Intel Granite Rapids):
  //                       u32, eight   sixteen   u64, eight   sixteen   double, eight   sixteen
  //   10^4, one           4.5, 3.7   4.3, 4.4   4.3, 4.1   4.2, 4.7      6.7, 6.2   6.4, 7.4
  //   10^5                4.1, 3.9   4.0, 4.5   7.5, 4.4   7.5, 5.8     11.0, 6.6  10.4, 8.1
  //   10^6                6.6, 4.4   6.0, 4.7   9.3, 5.4   8.0, 5.9     14.1, 7.3  11.6, 8.0
  //   10^5, two           3.1, 2.4   3.0, 2.4   4.8, 3.5   4.4, 3.0      6.2, 4.1   5.9, 4.2
  //   10^6                4.3, 2.4   4.0, 2.5   4.7, 3.1   4.3, 3.2      6.7, 4.4   5.9, 4.2
  static std::size_t most_rows(std::size_t size, const SortConfig& config) noexcept {
    if constexpr (Records::kWholeKeys) {
      return std::min<std::size_t>(config.most_rows, Records::kRecordBytes <= 4 ? 2 : 4);
    }
    return std::min(config.most_rows, size <= kFew ? 8 : kMostGuessed);
  }
  /// Of more, where it can be guessed.
  // Sixteen rows that take turns, one by one, ns an element to sort and so, one core (AMD Zen 5):
  //   10^4   u32 1.34, 1.6   u64 1.57, 1.5   pairs of u32 1.7, 1.5   of a double 4.4, 2.5
  //   10^6       1.43, 1.25      1.70, 1.25               2.5, 1.2               5.6, 2.3
  // and one behind the other, the last one first:
  //   10^4       1.46, 0.33      1.9, 0.46                1.65, 0.46             4.9, 1.3
  //   10^6       1.45, 0.20      1.7, 0.37                2.5, 0.38              4.4, 1.6
  static constexpr std::size_t kMostGuessed = 64;
  /// Of bare keys that fit the third cache, and of few records of one word.
  // 64 rows that take turns, ns a key to sort and so, one core:
  //   AMD Zen 5   in the caches     u32 1.5, 2.2   u64 1.8, 2.4
  //   AMD Zen 3   10^5                  4.2, 4.4       5.7, 6.1   float 3.7, 3.7   double 5.7, 5.9
  //               10^6                  4.2, 3.6       8.1, 5.1         5.2, 3.8          7.2, 4.6
  //               10^7                  6.3, 4.6       8.8, 6.6         9.1, 4.8         11.7, 6.9
  static constexpr std::size_t kMostGuessedSoon = 16;
  /// So few that sorting them hardly leaves the second cache.
  // 64 rows that take turns, pairs of u32, ns a pair to sort and so, one core (Intel Granite
  // Rapids): 10^4 3.3, 4.3   2·10^4 3.5, 4.2   5·10^4 3.7, 3.8   3·10^5 4.6, 3.9   10^6 5.5, 3.9;
  // of u64 5.1, 5.0   4.1, 4.7   12, 4.8   12.3, 5.8   14.8, 5.9.
  static constexpr std::size_t kFew = std::size_t{1} << 15;

  /// Whether it is worth a look: of some keys spread over all, few are below the one before.
  static bool pays(const Records& home, std::size_t size, const SortConfig& config) {
    if (size < config.row_records) return false;
    const std::size_t step = std::max<std::size_t>(size / config.sample_records, 1);
    // Of records in any order it is every second one, of the most rows every fourth.
    std::size_t most = most_rows(size, config) * 3;
    std::size_t falls = 0;
    for (std::size_t i = step; i < size; i += step, ++most) {
      falls += static_cast<std::size_t>(home.key(i) < home.key(i - step));
      if (falls * 3 > most) return false;
    }
    return true;
  }

  /// For home[0, size) and so many processors. Throws std::bad_alloc.
  FewRows(const Records& home, const Records& away, std::size_t size, std::size_t processors,
          const SortConfig& config)
      : home_(home),
        away_(away),
        size_(size),
        config_(config),
        processors_(processors),
        most_(are_sorted_soon(size, config) ? kMostGuessedSoon : kMostGuessed),
        told_(std::make_unique_for_overwrite<Told[]>(processors)) {}

  /// Called by all. False: these are no few rows, or merging them takes too long; they are at home,
  /// some perhaps merged. `cold` is the memory of `away` that nobody has touched yet. Not inlined,
  /// as above all it is rare.
  [[gnu::noinline]] bool sort(Steps& steps, std::span<std::byte> cold) {
    if (!steps.together([&] { look(steps); })) return true;
    Rows rows;
    for (std::size_t id = 0; id < processors_; ++id) {
      if (rows.count + told_[id].count > most_) return false;
      rows.add(told_[id]);
    }
    rows.begins[rows.count] = size_;
    return merge(steps, rows, cold);
  }

  /// The same where it is known that there are two, the second one from `middle` on; they are one
  /// in any case.
  void merge_two_rows(Steps& steps, std::size_t middle, std::span<std::byte> cold) {
    Rows rows{.count = 2};
    rows.begins[1] = middle;
    rows.begins[2] = size_;
    static_cast<void>(merge(steps, rows, cold));
  }

 private:
  // Where rows begin in the share of one processor, the first row aside; one too many at most.
  struct alignas(kNoSharing) Told {
    std::size_t count;
    std::array<std::size_t, kMostGuessed> begins;
  };
  struct Rows {
    std::size_t count = 1;
    std::array<std::size_t, kMostGuessed + 1> begins{};  // and where the last one ends

    std::size_t begin(std::size_t row) const noexcept { return begins[std::min(row, count)]; }
    void add(const Told& told) noexcept {
      std::copy_n(told.begins.begin(), told.count,
                  begins.begin() + static_cast<std::ptrdiff_t>(count));
      count += told.count;
    }
    // After so many at a time have become one.
    void merge(std::size_t ways) noexcept {
      std::size_t merged = 0;
      for (std::size_t row = 0; row < count; row += ways) begins[merged++] = begins[row];
      begins[merged] = begins[count];
      count = merged;
    }
  };

  // Whether sorting takes less time than merging many rows does.
  static bool are_sorted_soon(std::size_t size, const SortConfig& config) noexcept {
    if constexpr (Records::kWholeKeys) return size <= config.sides_bytes / Records::kRecordBytes;
    return Records::kMayBeWords && size <= kFew;
  }

  // A read that ends where there are too many rows, and the first four cannot be guessed.
  void look(const Steps& steps) {
    Told& told = told_[steps.id()];
    told.count = 0;
    const Range own = steps.share(0, size_);
    bool worth = pays(home_, size_, config_);
    const bool by_vectors = vectors_find_falls(home_);
    const std::size_t unguessed = std::max<std::size_t>(most_rows(size_, config_), 5);
    for (std::size_t i = std::max<std::size_t>(own.begin, 1); worth && i < own.end; ++i) {
      i = next_fall(home_, i, own.end, by_vectors);
      if (i == own.end) break;
      told.begins[told.count++] = i;
      worth = told.count < most_ && (told.count != unguessed || can_guess_first(told));
    }
    if (!worth) told.count = most_;
  }

  // Rows on one side, which go to the other from the end.
  struct Elements : FromEnd<Records> {
    // The two or four from `row` on, of which some may be missing.
    TwoRows<FromEnd<Records>::kStep> two(const Rows& rows, std::size_t row) const noexcept {
      const auto end = [&](std::size_t i) { return this->before(this->from, rows.begin(i)); };
      return {end(row + 2), end(row + 1), end(row + 1), end(row),
              this->before(this->to, rows.begin(row + 2))};
    }
    FourRows<FromEnd<Records>::kStep> four(const Rows& rows, std::size_t row) const noexcept {
      return {two(rows, row + 2), two(rows, row), this->before(this->to, rows.begin(row + 4))};
    }
  };
  Elements elements(bool away) const {
    return away ? Elements{{away_, home_}} : Elements{{home_, away_}};
  }

  // The first four rows that are whole.
  bool can_guess_first(const Told& five) const {
    Rows rows{.count = 4};
    std::copy_n(five.begins.begin(), 5, rows.begins.begin());
    return can_guess_at(rows, 0, 0, elements(false));
  }

  // All rows, by a look at some places.
  bool can_guess_all(const Rows& rows, bool away) const {
    const std::size_t places = std::clamp<std::size_t>(size_ >> 14, 1, 4);
    for (std::size_t i = 0; i < places; ++i) {
      const std::size_t at = size_ * (2 * i + 1) / (2 * places);
      std::size_t row = 0;
      while (rows.begin(row + 4) <= at) row += 4;
      if (!can_guess_at(rows, row, at - rows.begin(row), elements(away))) return false;
    }
    return true;
  }

  // The four from `row` on, from this rank on, or from where so many are left as it takes to judge.
  bool can_guess_at(const Rows& rows, std::size_t row, std::size_t rank,
                    const Elements& all) const {
    const std::size_t steps = std::clamp<std::size_t>(size_ >> 7, 64, 512);
    const FromEnd<Records>& elements = all;
    const auto four = all.four(rows, row);
    const std::size_t last = four.left() - std::min(four.left(), steps);
    return can_guess(four.cut(std::min(rank, last), elements).second, elements, steps);
  }

  // As sort(), rows that have been found.
  bool merge(Steps& steps, Rows rows, std::span<std::byte> cold) {
    bool away = false;
    while (rows.count > 1) {
      if (!steps.together([&] {
            if (steps.id() == 0) guessed_ = can_guess_all(rows, away);
          })) {
        break;
      }
      const bool guessed = guessed_;
      if (!guessed && rows.count > most_rows(size_, config_)) {
        if (away) bring_home(steps);
        return false;
      }
      if constexpr (Records::kPlacesAreMemory) {
        if (rows.count == 2 && !away &&
            size_ >= config_.merge_at_home_bytes / Records::kRecordBytes) {
          MergeAtHome<Records>(home_, away_, rows.begins[1], size_, guessed, cold).run(steps);
          return true;
        }
      }
      if (!cold.empty() && !steps.together([&] { touch_share(steps, cold); })) break;
      cold = {};
      if (!merge_rows(steps, rows, away, guessed)) break;
      rows.merge(guessed ? 4 : 2);
      away = !away;
    }
    if (away) bring_home(steps);
    return true;
  }

  // Merges the rows by fours or by twos to the other side: from `away` home, or from home. One
  // step. False where somebody has failed; the side that they come from is whole.
  bool merge_rows(Steps& steps, const Rows& rows, bool away, bool guessed) {
    return steps.together([&] {
      const Range own = steps.share(0, size_);
      const Elements all = elements(away);
      const std::size_t ways = guessed ? 4 : 2;
      for (std::size_t row = 0; row < rows.count; row += ways) {
        const Range part{std::max(own.begin, rows.begin(row)),
                         std::min(own.end, rows.begin(row + ways))};
        if (part.begin >= part.end) continue;
        const FromEnd<Records>& elements = all;
        const auto own_of = [&](const auto& whole) {
          const std::size_t end = rows.begin(row + ways);
          return whole.cut(end - part.begin, elements).first.cut(end - part.end, elements).second;
        };
        if (guessed) {
          merge_guessed(own_of(all.four(rows, row)), elements);
        } else {
          merge_two(own_of(all.two(rows, row)), elements);
        }
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
  std::size_t processors_;
  std::size_t most_;  // rows, where it can be guessed which is next
  std::unique_ptr<Told[]> told_;
  bool guessed_ = false;  // which processor 0 tells the others
};

}  // namespace postroom::sorting
