// Records with heavy keys: those whose keys occur very often are moved straight to their places
// among each other, and only the others (the light ones) are sorted.
//
// Routing by digits would move records of one key again and again, wherever that key's bits say
// little. Here each of some keys that seem to be frequent is a bucket of its own, found by a hash
// (sort/engine/heavy_table.h), and one more bucket is for all light records. Stable. For keys alone
// there is something cheaper (sort/engine/heavy_keys.h).
//
//   pays       a few keys tell whether this is worth while; for most input it ends there
//   take_out   one processor chooses the keys; all count their shares and place them: the heavy
//              records come to away[0, heavies), in order, the light ones behind them, as they were
//   put_back   when those are in order too, each processor copies its share of the output home:
//              between two heavy keys the light records that belong there
//
// Cost: 1.5 ns a record for the counting, 3 for the placing, 1 for the way home (AMD Zen 3, records
// of 8 bytes); six barriers. Memory: for each processor two tables of counts, 32 KiB with the usual
// thresholds. Errors: what a key throws and std::bad_alloc are kept in the Failure of the steps;
// the records are as they were, or a permutation when the light ones could not be sorted.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <ranges>
#include <span>
#include <utility>
#include <vector>

#include "numa/cacheline.h"
#include "sort/engine/cold.h"
#include "sort/engine/config.h"
#include "sort/engine/heavy_sample.h"
#include "sort/engine/heavy_table.h"
#include "sort/engine/part.h"
#include "sort/engine/place.h"
#include "sort/engine/rows_apart.h"
#include "sort/engine/steps.h"

namespace postroom::sorting {

template <class Records>
class HeavyRecords {
 public:
  /// Of home[0, size); `away` has room for as many. What is referred to must outlive it.
  HeavyRecords(const Records& home, const Records& away, std::size_t size, std::size_t processors,
               const SortConfig& config)
      : home_(home), away_(away), size_(size), config_(config), processors_(processors) {}

  /// Whether to go on. All processors see the same keys, and so get the same answer.
  bool pays() const {
    return size_ / kRecordsForOne >= config_.sample_records &&
           has_many_alike(home_, size_, config_, kKeysForAHit, config_.split_bits);
  }

  /// Called by all; false when somebody failed. `cold` is the memory of away that nobody has
  /// touched yet.
  bool take_out(Steps& steps, std::span<std::byte> cold) {
    return steps.together([&] {
      if (steps.id() == 0) choose();
      touch_share(steps, cold);
    }) && steps.together([&] { count(steps); }) &&
           steps.together([&] {
             if (steps.id() == 0) list();
           }) &&
           steps.together([&] { place_share(steps); });
  }

  /// How many records have not been taken out.
  std::size_t lights() const noexcept { return size_ - heavies(); }
  /// Where they are, to be sorted in place, and room for as many.
  Part light_part() const noexcept { return {0, lights(), false}; }
  Records light_home() noexcept { return away_.from(heavies()); }
  Records light_away() noexcept { return home_.from(heavies()); }

  /// Called by all, when the light records are in order, unless somebody failed.
  void put_back(Steps& steps) {
    const bool sorted = steps.together([] {});  // all have ended
    const Range own = steps.share(0, size_);
    if (sorted && steps.together([&] { find_places(steps); })) return write(own.begin, own.end);
    home_.take_all(away_, own.begin, own.end);
  }

 private:
  using Bits = typename Records::Bits;
  // Below, moving nearly all records once more costs more than is won.
  static constexpr std::size_t kKeysForAHit = 3;
  // And for so few, tables and another way home cost more than radix passes over all digits: 10^3
  // pairs with few different keys 8.4 ns a pair, 4.3 without; S of as many 9.0 and 9.3, but of 2000
  // 7.0 and 8.6 (AMD Zen 5).
  static constexpr std::size_t kRecordsForOne = 6;

  // Where most records are light, each processor takes its share from so many places by turns, each
  // with counts of its own, or one light record would have to wait for the one before. 10^6 pairs
  // of u32 of zipf on one core 6.5 -> 5.2 ns (AMD Zen 5); with the keys of four read before any is
  // placed, as in sort/engine/place.h, no less. Where most are heavy, twice as many counts and
  // lines to write are in the way: pairs of S, in two streams and in one, ns on one core (AMD
  // Zen 3)
  //            10^4           10^5           10^6           10^7
  //   u32   12.4, 11.3     10.4, 8.75     11.4, 8.9      10.8, 8.5
  //   u64   14.0, 12.4     12.2, 10.4     14.9, 13.6     14.1, 11.8
  static constexpr std::size_t kMostStreams = 2;

  // The records of one heavy key.
  struct Heavy {
    Bits key;
    std::size_t begin;  // where they are away
    std::size_t place;  // where they go at home
  };

  std::size_t heavies() const noexcept { return heavy_.empty() ? 0 : heavy_.back().begin; }

  // --- Taking out.

  void choose() {
    table_.emplace(heavy_table_bits(size_, config_));
    table_->offer_some(home_, {0, size_}, size_);
    heavy_.reserve(table_->slots() + 1);
    const std::size_t sampled = std::min(config_.sample_records, size_);
    streams_ = heavy_sample(home_, size_, sampled).hits * 2 >= sampled ? 1 : kMostStreams;
    counts_ = {rows(), table_->values()};
  }

  // Of counts, of all processors.
  std::size_t rows() const noexcept { return streams_ * processors_; }

  // The counts, later places, of one stream.
  std::size_t* counts(const Steps& steps, std::size_t stream) const noexcept {
    return counts_.row(streams_ * steps.id() + stream);
  }

  // Calls use(stream, i, digit of its key) for each record i of the share, by turns of each stream.
  template <class Use>
  void in_streams(const Steps& steps, const Use& use) {
    streams_ == 1 ? in_some<1>(steps, use) : in_some<kMostStreams>(steps, use);
  }

  template <std::size_t kStreams, class Use>
  void in_some(const Steps& steps, Use use) {
    const Records home = home_;
    const auto digit = table_->digit();
    std::array<Range, kStreams> streams;
    for (std::size_t s = 0; s < kStreams; ++s) {
      streams[s] = share_of(steps.share(0, size_), s, kStreams);
    }
    const std::size_t length = streams.back().end - streams.back().begin;  // none is shorter
    const auto use_some = [&](std::size_t from, std::size_t to) {
      for (std::size_t k = from; k < to; ++k) {
        for (std::size_t s = 0; s < kStreams; ++s) {
          const std::size_t i = streams[s].begin + k;
          use(s, i, digit.of(home.key(i)));
        }
      }
    };
    constexpr std::size_t kLine = std::max<std::size_t>(kCacheLine / Records::kRecordBytes, 1);
    std::size_t k = 0;
    for (; k + kLine <= length; k += kLine) {
      for (const Range& stream : streams) home.template prefetch_ahead<kLine>(stream.begin + k);
      use_some(k, k + kLine);
    }
    use_some(k, length);
    for (std::size_t s = 0; s < kStreams; ++s) {
      for (std::size_t i = streams[s].begin + length; i < streams[s].end; ++i) {
        use(s, i, digit.of(home.key(i)));
      }
    }
  }

  void count(const Steps& steps) {
    std::array<std::size_t*, kMostStreams> counts{};
    for (std::size_t s = 0; s < streams_; ++s) {
      counts[s] = this->counts(steps, s);
      std::fill_n(counts[s], table_->values(), 0);
    }
    in_streams(steps, [=](std::size_t s, std::size_t, std::size_t digit) { ++counts[s][digit]; });
  }

  // Decides which keys are heavy after all, and makes places of the counts. The last entry stands
  // for the light records.
  void list() {
    HeavyTable<Bits>& table = *table_;
    const std::size_t light = table.slots();
    for (std::size_t slot = 0; slot < light; ++slot) {
      std::size_t sum = 0;
      for (std::size_t i = 0; i < rows(); ++i) sum += counts_.row(i)[slot];
      if (sum >= config_.heavy_count) {
        heavy_.push_back({table.key(slot), slot, 0});
        continue;
      }
      table.clear(slot);
      for (std::size_t i = 0; i < rows(); ++i) {
        counts_.row(i)[light] += counts_.row(i)[slot];
      }
    }
    std::ranges::sort(heavy_, {}, &Heavy::key);
    heavy_.push_back({0, light, 0});
    std::size_t place = 0;
    for (Heavy& heavy : heavy_) {
      const std::size_t slot = std::exchange(heavy.begin, place);
      for (std::size_t i = 0; i < rows(); ++i) {
        place += std::exchange(counts_.row(i)[slot], place);
      }
    }
  }

  void place_share(const Steps& steps) {
    std::array<std::size_t*, kMostStreams> next{};
    for (std::size_t s = 0; s < streams_; ++s) next[s] = counts(steps, s);
    in_streams(steps, [=, home = home_, away = away_](std::size_t s, std::size_t i,
                                                      std::size_t digit) mutable {
      place_one<Prefetch::kNext>(home, i, digit, away, next[s]);
    });
  }

  // --- Putting back.

  void find_places(const Steps& steps) {
    const Range own = steps.share(0, heavy_.size() - 1);
    for (std::size_t h = own.begin; h < own.end; ++h) {
      heavy_[h].place = heavy_[h].begin + lights_below(heavy_[h].key);
    }
    if (steps.id() == 0) heavy_.back().place = size_;
  }

  std::size_t lights_below(Bits key) const {
    return *std::ranges::partition_point(
        std::views::iota(std::size_t{0}, lights()),
        [&](std::size_t i) { return away_.key(heavies() + i) < key; });
  }

  // Writes home[begin, end) of the output.
  void write(std::size_t begin, std::size_t end) noexcept {
    const auto is_over = [&](std::size_t h) {
      return heavy_[h].place + heavy_[h + 1].begin - heavy_[h].begin <= begin;
    };
    const auto all = std::views::iota(std::size_t{0}, heavy_.size() - 1);
    std::size_t h = *std::ranges::partition_point(all, is_over);
    for (std::size_t place = begin; place < end; ++h) {
      const Heavy& heavy = heavy_[h];
      // What comes before it are light records behind so many heavy ones.
      place = copy(place, std::min(end, heavy.place), heavies() + place - heavy.begin);
      if (h + 1 == heavy_.size()) return;
      const std::size_t stop = heavy.place + heavy_[h + 1].begin - heavy.begin;
      place = copy(place, std::min(end, stop), heavy.begin + place - heavy.place);
    }
  }

  // Copies to home[begin, end) what is away from `from` on. Returns where it ended.
  std::size_t copy(std::size_t begin, std::size_t end, std::size_t from) noexcept {
    if (begin >= end) return begin;
    home_.from(begin).take_all(away_.from(from), 0, end - begin);
    return end;
  }

  Records home_;
  Records away_;
  std::size_t size_;
  const SortConfig& config_;
  std::size_t processors_;
  // Only processor 0 writes these, except for the counts and the places.
  std::size_t streams_ = 1;
  RowsApart<std::size_t> counts_;  // a row for each stream of each processor, later places
  std::optional<HeavyTable<Bits>> table_;
  std::vector<Heavy> heavy_;  // in order; the last one is no key but the end of all
};

}  // namespace postroom::sorting
