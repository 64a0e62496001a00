// Heavy keys, taken out before a sort and put back after it.
//
// Of keys alone, one that occurs very often need not be moved as often: it is counted, the others
// (the light ones) are sorted without it, and in the end it is written as often as it was counted.
// With few different keys nothing else is left to do; where vectors move keys to both sides of one
// of them soon (sort/vector_sides.h), it is only for those.
//
//   pays       a few keys tell whether this is worth while; for most input it ends there
//   take_out   each processor counts its share, into a table of its own (sort/heavy_table.h), and
//              moves light keys to the front of it; then the tables become one list in order, and
//              the light keys are put side by side in the scratch
//   put_back   each processor writes its share of the output: between two heavy keys the light ones
//              that belong there
//
// Cost: 1.3 to 2 ns a key for the counting (AMD Zen 3), one copy of the light keys, one write of
// all; five barriers. Memory: for each processor a table and a part of the list, 100 KiB with the
// usual thresholds; of the scratch only room for the light keys. Errors: std::bad_alloc is kept in
// the Failure of the steps; nothing has been touched then.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <ranges>
#include <span>
#include <vector>

#include "numa/cacheline.h"
#include "sort/cold.h"
#include "sort/config.h"
#include "sort/digit.h"
#include "sort/few_keys.h"
#include "sort/fill.h"
#include "sort/heavy_sample.h"
#include "sort/heavy_table.h"
#include "sort/part.h"
#include "sort/spread.h"
#include "sort/steps.h"

namespace postroom::sorting {

template <class Records>
class HeavyKeys {
 public:
  /// Of home[0, size), which are keys alone; `away` has room for as many. What is referred to must
  /// outlive it.
  HeavyKeys(const Records& home, const Records& away, std::size_t size, std::size_t processors,
            const SortConfig& config)
      : home_(home), away_(away), size_(size), config_(config), told_(processors) {}

  /// Whether to go on. All processors see the same keys, and so get the same answer.
  bool pays() const noexcept {
    // Networks take so much less time that more keys have to be alike.
    const std::size_t keys_for_a_hit = can_spread<Records>(config_) ? 3 : 8;
    return has_many_alike(home_, size_, config_, keys_for_a_hit,
                          most_fill_bits(size_, config_.fill_bits));
  }

  /// Called by all; false when somebody failed. Afterwards the light keys are away[0, lights()), in
  /// no particular order; they are to be sorted there, and home is free. `cold` is the memory of
  /// away that nobody has touched yet; nobody does beyond the light keys.
  bool take_out(Steps& steps, std::span<std::byte> cold) {
    if (!steps.together([&] { look(steps); })) return false;
    // Neither can fail.
    steps.in_any_case([&] { count(steps); });
    steps.in_any_case([&] { gather(steps, cold); });
    return true;
  }

  /// How many keys have not been taken out.
  std::size_t lights() const noexcept { return lights_; }
  /// Where they are, to be sorted in place, and room for as many.
  Part light_part() const noexcept { return {0, lights_, false}; }
  Records light_home() noexcept { return away_; }
  Records light_away() noexcept { return home_; }

  /// Called by all, when the light keys are away[0, lights()): in order, unless somebody failed.
  void put_back(Steps& steps) {
    const bool sorted = steps.together([] {});  // all have ended
    steps.in_any_case([&] { find_places(steps, sorted); });
    const Range own = steps.share(0, size_);
    write(own.begin, own.end);
  }

 private:
  using Bits = typename Records::Bits;

  struct Heavy {
    Bits key;
    std::size_t count;   // how often
    std::size_t before;  // how many heavy keys come before
    std::size_t place;   // where it goes in the output
  };

  // What one processor tells the others.
  struct alignas(kNoSharing) Told {
    std::optional<FewKeys<Bits>> few;  // where they were few enough
    std::optional<HeavyTable<Bits>> table;
    Range lights;  // where away
  };

  // --- Taking out.

  // Counts few different keys, or finds out which ones to count.
  void look(const Steps& steps) {
    Told& own = told_[steps.id()];
    const Range share = steps.share(0, size_);
    own.lights = {share.begin, share.begin};
    if (steps.id() == 0) reserve_heavies(steps.count());
    if (own.few.emplace().count(home_, share.begin, share.end)) return;
    own.few.reset();
    own.table.emplace(heavy_table_bits(size_, config_)).offer_some(home_, share, size_);
  }

  void count(const Steps& steps) noexcept {
    Told& own = told_[steps.id()];
    if (!own.table) return;
    const Range share = steps.share(0, size_);
    std::size_t end = own.table->count(home_, share.begin, share.end, home_, share.begin);
    own.table->for_each([&](Bits key, std::size_t count) {
      if (is_heavy(count)) return;
      home_.fill(end, end + count, key);
      end += count;
    });
    own.lights = {share.begin, end};
  }

  void reserve_heavies(std::size_t processors) {
    const std::size_t slots = std::size_t{1} << heavy_table_bits(size_, config_);
    heavies_.reserve(processors * std::max(slots, FewKeys<Bits>::kMost + 1));
  }

  bool is_heavy(std::size_t count) const noexcept { return count >= config_.heavy_count; }

  void gather(const Steps& steps, std::span<std::byte> cold) noexcept {
    std::size_t place = 0;
    std::size_t lights = 0;
    for (std::size_t i = 0; i < told_.size(); ++i) {
      if (i == steps.id()) place = lights;
      lights += told_[i].lights.end - told_[i].lights.begin;
    }
    const Range own = told_[steps.id()].lights;
    touch_between(away_.memory(place), away_.memory(place + own.end - own.begin), cold);
    away_.from(place).take_all(home_.from(own.begin), 0, own.end - own.begin);
    if (steps.id() != 0) return;
    lights_ = lights;
    list_heavies();
  }

  void list_heavies() noexcept {
    for (const Told& told : told_) {
      const auto add = [&](Bits key, std::size_t count) {
        if (told.few || is_heavy(count)) heavies_.push_back({key, count, 0, 0});
      };
      told.few ? told.few->for_each(add) : told.table->for_each(add);
    }
    std::ranges::sort(heavies_, {}, &Heavy::key);
    std::size_t before = 0;
    for (Heavy& heavy : heavies_) {
      heavy.before = before;
      before += heavy.count;
    }
  }

  // --- Putting back.

  void find_places(const Steps& steps, bool sorted) noexcept {
    const Range own = steps.share(0, heavies_.size());
    for (std::size_t h = own.begin; h < own.end; ++h) {
      Heavy& heavy = heavies_[h];
      heavy.place = heavy.before + (sorted ? lights_below(heavy.key) : lights_);
    }
  }

  std::size_t lights_below(Bits key) const noexcept {
    return *std::ranges::partition_point(std::views::iota(std::size_t{0}, lights_),
                                         [&](std::size_t i) { return away_.key(i) < key; });
  }

  // Writes home[begin, end) of the output.
  void write(std::size_t begin, std::size_t end) noexcept {
    const auto is_over = [&](const Heavy& heavy) { return heavy.place + heavy.count <= begin; };
    auto heavy = std::ranges::partition_point(heavies_, is_over);
    std::size_t place = begin;
    for (; heavy != heavies_.end() && place < end; ++heavy) {
      place = write_lights(place, std::min(end, heavy->place), heavy->before);
      const std::size_t stop = std::min(end, heavy->place + heavy->count);
      home_.fill(place, stop, heavy->key);
      place = stop;
    }
    write_lights(place, end, size_ - lights_);
  }

  // Writes home[begin, end), when so many heavy keys come before it. Returns where it ended.
  std::size_t write_lights(std::size_t begin, std::size_t end, std::size_t heavies) noexcept {
    if (begin >= end) return begin;
    home_.from(heavies).take_all(away_, begin - heavies, end - heavies);
    return end;
  }

  Records home_;
  Records away_;
  std::size_t size_;
  const SortConfig& config_;
  std::vector<Told> told_;
  // Only processor 0 writes these, except for the places.
  std::size_t lights_ = 0;
  std::vector<Heavy> heavies_;
};

}  // namespace postroom::sorting
