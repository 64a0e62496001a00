// Heavy keys, taken out before a sort and put back after it.
//
// Of keys alone, one that occurs very often need not be moved as often: it is counted, the others
// (the light ones) are sorted without it, and in the end it is written as often as it was counted.
// With few different keys nothing else is left to do; where vectors move keys to both sides of one
// of them soon (sort/vectors/vector_sides.h), it is only for those.
//
//   pays       a few keys tell whether this is worth while; for most input it ends there
//   take_out   each processor counts its share, into a table of its own
//              (sort/engine/heavy_table.h), and moves light keys to the front of it; then the
//              tables become one list in order, and the light keys are put side by side: at the
//              front of all, where as many again have room in the first share, or else in the
//              scratch
//   put_back   each processor writes its share of the output: between two heavy keys the light ones
//              that belong there. Those from the front of all are moved to the end of the share
//              where they belong before
//
// Cost: 1.3 to 2 ns a key for the counting (AMD Zen 3), two or three copies of the light keys,
// one write of all; six barriers, or five. Memory: for each processor a table and a part of the
// list, 100 KiB with the usual thresholds; of the scratch room for the light keys, or none. Errors:
// std::bad_alloc is kept in the Failure of the steps; take_out() has touched nothing then.
//
// Source: heavy keys apart from light ones as in Y. Gu, J. Shun, Y. Sun and G. Blelloch, "A
// Top-Down Parallel Semisort" (2015).
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <ranges>
#include <span>
#include <vector>

#include "numa/cacheline.h"
#include "sort/engine/cold.h"
#include "sort/engine/config.h"
#include "sort/engine/digit.h"
#include "sort/engine/few_keys.h"
#include "sort/engine/fill.h"
#include "sort/engine/heavy_sample.h"
#include "sort/engine/heavy_table.h"
#include "sort/engine/part.h"
#include "sort/engine/spread.h"
#include "sort/engine/steps.h"

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
    return pays(can_spread<Records>(config_) ? 3 : 8);
  }
  /// The same where one key of so many has to be frequent.
  bool pays(std::size_t keys_for_a_hit) const noexcept {
    return has_many_alike(home_, size_, config_, keys_for_a_hit,
                          most_fill_bits(size_, config_.fill_bits));
  }

  /// Called by all; false when somebody failed. Afterwards the light keys are to be sorted where
  /// they are. `cold` is the memory of away that nobody has touched yet; nobody does beyond the
  /// light keys.
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
  Records light_home() noexcept { return lights_stay_ ? home_ : away_; }
  Records light_away() noexcept { return lights_stay_ ? home_.from(lights_) : home_; }

  /// Called by all, when the light keys are in order, unless somebody failed.
  void put_back(Steps& steps) {
    const bool sorted = steps.together([] {});  // all have ended
    steps.in_any_case([&] { find_places(steps, sorted); });
    const Range own = steps.share(0, size_);
    if (!lights_stay_) return write(own, away_);
    const std::size_t end = lights_before(own.end);
    Records lights = home_.from(own.end - end);
    steps.in_any_case([&] { lights.take_all(home_, lights_before(own.begin), end); });
    write(own, lights);
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
    Range lights;  // at the front of its share
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
    const bool stay = 2 * lights <= share_of({0, size_}, 0, told_.size()).end;
    const Range own = told_[steps.id()].lights;
    const std::size_t end = place + own.end - own.begin;
    if (!stay) touch_between(away_.memory(place), away_.memory(end), cold);
    // The first processor's are where they are to stay.
    if (!stay || steps.id() > 0) {
      (stay ? home_ : away_).from(place).take_all(home_.from(own.begin), 0, end - place);
    }
    if (steps.id() != 0) return;
    lights_ = lights;
    lights_stay_ = stay;
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
    const Records& lights = lights_stay_ ? home_ : away_;
    return *std::ranges::partition_point(std::views::iota(std::size_t{0}, lights_),
                                         [&](std::size_t i) { return lights.key(i) < key; });
  }

  // What follows is about the output, when the places are known.

  auto first_heavy_at(std::size_t place) const noexcept {
    return std::ranges::partition_point(
        heavies_, [&](const Heavy& heavy) { return heavy.place + heavy.count <= place; });
  }
  std::size_t lights_before(std::size_t place) const noexcept {
    const auto heavy = first_heavy_at(place);
    if (heavy == heavies_.end()) return place - (size_ - lights_);
    return std::min(place, heavy->place) - heavy->before;
  }

  // Writes `own` of the output. Light key i is lights[i]; where it lies in `own`, it is not before
  // where it is written.
  void write(const Range& own, const Records& lights) noexcept {
    std::size_t place = own.begin;
    for (auto heavy = first_heavy_at(place); heavy != heavies_.end() && place < own.end; ++heavy) {
      place = write_lights(place, std::min(own.end, heavy->place), heavy->before, lights);
      const std::size_t stop = std::min(own.end, heavy->place + heavy->count);
      home_.fill(place, stop, heavy->key);
      place = stop;
    }
    write_lights(place, own.end, size_ - lights_, lights);
  }

  // Writes home[begin, end), when so many heavy keys come before it. Returns where it ended.
  std::size_t write_lights(std::size_t begin, std::size_t end, std::size_t heavies,
                           const Records& lights) noexcept {
    if (begin >= end) return begin;
    home_.from(heavies).take_all(lights, begin - heavies, end - heavies);
    return end;
  }

  Records home_;
  Records away_;
  std::size_t size_;
  const SortConfig& config_;
  std::vector<Told> told_;
  // Only processor 0 writes these, except for the places.
  std::size_t lights_ = 0;
  bool lights_stay_ = false;  // at home, at the front
  std::vector<Heavy> heavies_;
};

}  // namespace postroom::sorting
