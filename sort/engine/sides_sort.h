// A quicksort of bare keys, in place.
//
//   together  all move the keys of one part to both sides of one of them, each its own share
//             (sort/vectors/vector_sides.h). Then keys that are on the wrong side of the border of
//             all are exchanged, by each as many. Half of the processors go to either side, which
//             has as many of the keys as a sample can say; and again, until each is alone
//   apart     each processor goes on by itself until a part fits the second cache, and finishes it
//             there (sort/engine/finish.h) in the same scratch as the one before
//
// So no more of the scratch is touched than one part takes for each processor, nor needed. Fresh
// memory is what a sort waits for that has none at hand: 8 MB of it take as long as sorting 10^6
// keys of 64 bits by two processors (docs/sort_figures.md).
//
// Called by all. Cost: three barriers for each time that the processors part; 0.15 ns a key for
// each time that a part is halved (AMD Zen 5). Memory: tables for each processor, as of a Finisher.
// Errors: std::bad_alloc; the keys are a permutation.
//
// Source: our own; B. Bramas (2017, see sort/vectors/vector_sides.h) for the sides of one
// processor.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "numa/cacheline.h"
#include "sort/engine/config.h"
#include "sort/engine/finish.h"
#include "sort/engine/halving.h"
#include "sort/engine/median_sample.h"
#include "sort/engine/misplaced.h"
#include "sort/engine/part.h"
#include "sort/engine/spread.h"
#include "sort/engine/steps.h"
#include "sort/vectors/vector_sides.h"

namespace postroom::sorting {

template <class Records>
class SidesSort {
 public:
  using Bits = typename Records::Bits;

  /// For home[0, size); `away` has room for `in_away`. What is referred to must outlive it. Throws
  /// std::bad_alloc. Precondition: suits().
  SidesSort(const Records& home, const Records& away, std::size_t size, std::size_t in_away,
            std::size_t processors, const SortConfig& config)
      : home_(home),
        away_(away),
        size_(size),
        has_whole_away_(in_away >= size),
        most_(std::min(most_in_scratch(config), in_away / processors)),
        config_(config),
        told_(processors) {}

  /// Whether this processor's vectors do it, and the scratch is enough for so many processors.
  static bool suits(std::size_t in_away, std::size_t processors, const SortConfig& config) {
    return takes_sides_soon<Records>(config) && in_away / processors >= MedianSample<Bits>::kKeys;
  }

  /// Whether this is the way for keys that do not fit the second cache and differ in more bits than
  /// are counted: on any CPU if they fit the third one and most of the scratch, `cold` bytes, has
  /// not been touched yet.
  static bool pays(const Records& home, std::size_t size, std::size_t cold,
                   const SortConfig& config) {
    if (size <= most_in_scratch(config) || !takes_sides_soon<Records>(config)) return false;
    const std::size_t bytes = size * Records::kRecordBytes;
    return (config.sides_before_digits || (cold > bytes / 2 && bytes <= config.sides_bytes)) &&
           is_long_to_count(home, 0, size, config);
  }

  /// Whether keys that do not fit the third cache are sooner sorted so than by blocks, which leave
  /// most of them together where these are floating-point numbers (sort/engine/block_sort.h). By
  /// blocks and so, two processors, ns (Intel Granite Rapids): 10^7 uniform u32 2.3 and 2.1,
  /// u64 3.65 and 4.15, float 3.8 and 2.25, double 6.8 and 4.2; 10^8 float 3.4 and 2.8.
  static bool pays_before_blocks(const Records& home, std::size_t size, const SortConfig& config) {
    constexpr std::size_t kMostBytes = std::size_t{1} << 26;
    if (!config.sides_before_digits || !pays(home, size, 0, config)) return false;
    const MedianSample<Bits> sample(home, {0, size, false});
    if (sample.has_many_alike()) return false;
    return size * Records::kRecordBytes <= kMostBytes || sample.favors_values();
  }

  /// Called by all. False where somebody failed before anything was moved.
  [[nodiscard]] bool sort(Steps& steps) {
    std::optional<Worker> worker;
    if (!steps.together([&] { worker.emplace(*this, steps); })) return false;
    for (int left = Halving::levels(steps.count()); left > 0; --left) worker->part();
    steps.apart([&] { worker->sort_own(); });
    return true;
  }

  /// After sort(), where there is not room for all: parts that have yet to be sorted, each at its
  /// place. Samples have said little of them.
  std::vector<Range> left() const {
    std::vector<Range> all;
    for (const Told& told : told_) all.insert(all.end(), told.left.begin(), told.left.end());
    return all;
  }

 private:
  // What a processor tells the others.
  struct alignas(kNoSharing) Told {
    std::size_t front = 0;  // how many of its share go to the front
    std::vector<Range> left;
  };

  static constexpr int kMostMisled = 3;

  // So many keys are finished at once. 2^17, 2^16, 2^15: 10^6 uniform u64 on one
  // processor 2.8, 3.3, 3.4; u32 S with 2^18, 2^17, 2^16 1.24, 1.06, 1.00, uniform 2.2, 2.25, 2.27
  // (AMD Zen 5, 1 MiB of second cache). 2^18, 2^17, 2^16, 2^15 of them on two processors 2.7, 2.5,
  // 2.35, 2.4, u32 1.75, 1.6, 1.55, 1.65 (Intel Granite Rapids, 2 MiB).
  static std::size_t most_in_scratch(const SortConfig& config) noexcept {
    const std::size_t keys = config.sides_before_digits
                                 ? config.radix_bytes / (2 * sizeof(Bits))
                                 : config.radix_bytes / sizeof(std::uint32_t);
    return std::max(keys, MedianSample<Bits>::kKeys);
  }

  class Worker {
   public:
    Worker(SidesSort& sort, Steps& steps)
        : home_(sort.home_),
          away_(sort.away_),
          has_whole_away_(sort.has_whole_away_),
          most_(sort.most_),
          told_(sort.told_),
          steps_(steps),
          keys_(steps.id(), steps.count(), sort.size_),
          misplaced_(steps.count()),
          finisher_(sort.home_, sort.away_, has_whole_away_ ? sort.size_ : most_, sort.config_) {}

    // All those who are at the same keys move them to both sides of one of them, and go to one of
    // the sides, half of them to each. Called by all.
    void part() noexcept {
      const bool parts = keys_.parts();
      Pivot<Bits> pivot{};
      steps_.in_any_case([&] {
        if (parts) pivot = pivot_for_all();  // all come to the same, before a key is moved
      });
      steps_.in_any_case([&] {
        if (parts) told_[steps_.id()].front = take_front(keys_.own(), pivot);
      });
      const std::size_t border = parts ? find_misplaced() : 0;
      steps_.in_any_case([&] {
        if (parts) swap_misplaced();
      });
      if (parts) keys_.part(border);
    }

    void sort_own() {
      if (keys_.sorts()) sort({keys_.all().begin, keys_.all().end, false});
    }

   private:
    // That has as many of the keys before it as half of those who are at them should get.
    Pivot<Bits> pivot_for_all() const noexcept {
      auto sample = keys_.sample(home_);
      const auto middle = sample.begin() + keys_.rank();
      std::ranges::nth_element(sample, middle);
      const bool alone = std::ranges::count(sample, *middle) == 1;
      return {*middle, alone ? Equals::kAbove : Equals::kOut};
    }

    // Those that are on neither side go to the front, too. Returns how many do.
    std::size_t take_front(const Range& own, const Pivot<Bits>& pivot) noexcept {
      const Sides sides = home_.take_sides_in_place(own.begin, own.end, pivot);
      home_.fill(own.begin + sides.below, own.end - sides.above, pivot.key);
      return own.end - own.begin - sides.above;
    }

    // Returns where the sides of all meet.
    std::size_t find_misplaced() noexcept {
      std::size_t border = keys_.all().begin;
      for (std::size_t id = keys_.first(); id < keys_.last(); ++id) border += told_[id].front;
      misplaced_.begin(border);
      for (std::size_t id = keys_.first(); id < keys_.last(); ++id) {
        misplaced_.add(keys_.share(id), told_[id].front);
      }
      return border;
    }

    void swap_misplaced() noexcept {
      misplaced_.swap(
          keys_.own({0, misplaced_.count()}),
          [&](std::size_t a, std::size_t b, std::size_t count) { home_.swap(a, b, count); });
    }

    // Where no other processor's is, nor that of the keys of another one.
    Records scratch() noexcept {
      return away_.from(has_whole_away_ ? keys_.all().begin : steps_.id() * most_);
    }

    // Calls itself for the smaller side alone, so that it needs little stack whatever the keys are.
    void sort(Part part) {
      // So many samples have misled about the part, one after the other.
      for (int misled = 0; part.size() > most_;) {
        const Pivot<Bits> pivot = MedianSample<Bits>(home_, part).pivot();
        const Sides sides = home_.take_sides_in_place(part.begin, part.end, pivot);
        Part small{part.begin, part.begin + sides.below, false};
        Part large{part.end - sides.above, part.end, false};
        home_.fill(small.end, large.begin, pivot.key);
        if (small.size() > large.size()) std::swap(small, large);
        if (small.size() > 0) sort(small);
        misled = large.size() <= part.size() / 8 * 7 ? 0 : misled + 1;
        if (misled > kMostMisled) return tell_apart(large);
        part = large;  // mostly of another size, and so by another sample
      }
      if (part.size() == 0) return;
      finisher_.work_at(home_.from(part.begin), scratch());
      finisher_.finish({0, part.size(), false});
    }

    // Keys that samples do not, by a digit.
    void tell_apart(const Part& part) {
      if (has_whole_away_) {
        finisher_.work_at(home_, away_);
        finisher_.finish(part);
      } else {
        told_[steps_.id()].left.push_back({part.begin, part.end});
      }
    }

    Records home_;
    Records away_;
    bool has_whole_away_;
    std::size_t most_;
    std::vector<Told>& told_;
    Steps& steps_;
    Halving keys_;
    Misplaced misplaced_;
    Finisher<Records> finisher_;
  };

  Records home_;
  Records away_;
  std::size_t size_;
  bool has_whole_away_;
  std::size_t most_;  // so many are finished at once
  const SortConfig& config_;
  std::vector<Told> told_;
};

}  // namespace postroom::sorting
