// Words sorted by several processors: parted around keys by all of them, then spread by each.
//
//   count     each its share of one part: how many are below a key that a sample gave, with about
//             as many of the words below it as half of the processors should get
//   part      each moves its share to both sides of that key, in their order, to where the counts
//             of all say. Half of the processors go to either side; and again, until each is alone
//   spread    each sorts its own part (sort/engine/spread_words.h)
//
// For words of which many are alike, or that a digit would leave together. Called by all. Cost: two
// barriers for each time that the processors part; a read and a move for each word. Memory: a line
// for each processor, and tables as of a WordSpreader. Errors: std::bad_alloc; the words are where
// they were then.
//
// Source: our own; it is sort/engine/sides_sort.h, made stable.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <variant>
#include <vector>

#include "numa/cacheline.h"
#include "sort/engine/config.h"
#include "sort/engine/halving.h"
#include "sort/engine/part.h"
#include "sort/engine/spread_words.h"
#include "sort/engine/steps.h"

namespace postroom::sorting {

template <class Records>
class PartedWords {
 public:
  /// For home[0, size), and `away` with room for as many. What is referred to must outlive it.
  /// Precondition: can_spread_words(). Throws std::bad_alloc.
  PartedWords(const Records& home, const Records& away, std::size_t size, std::size_t processors,
              const SortConfig& config)
      : home_(home), away_(away), size_(size), config_(config), told_(processors) {}

  /// Called by all. False where somebody failed before anything was moved.
  [[nodiscard]] bool sort(Steps& steps) {
    std::optional<Worker> worker;
    if (!steps.together([&] { worker.emplace(*this, steps); })) return false;
    for (int left = Halving::levels(steps.count()); left > 0; --left) worker->part();
    worker->sort_own();
    return true;
  }

 private:
  // What a processor tells the others.
  struct alignas(kNoSharing) Told {
    std::size_t below = 0;  // how many of its share
  };

  class Worker {
   public:
    Worker(PartedWords& sort, Steps& steps)
        : home_(sort.home_),
          away_(sort.away_),
          told_(sort.told_),
          steps_(steps),
          words_(steps.id(), steps.count(), sort.size_),
          spreader_(sort.home_, sort.away_, sort.size_, sort.config_) {}

    // All those who are at the same words move them to both sides of a key, and half of them go to
    // either side. Called by all.
    void part() noexcept {
      const bool parts = words_.parts();
      const Range own = parts ? words_.own() : Range{};
      std::uint64_t limit = 0;
      steps_.in_any_case([&] {
        if (!parts) return;
        limit = limit_for_all();  // all come to the same, before a word is moved
        told_[steps_.id()].below =
            side(are_away_).from(own.begin).count_words_below(own.end - own.begin, limit);
      });
      const std::size_t border = parts ? words_.all().begin + below_before(words_.last()) : 0;
      steps_.in_any_case([&] {
        if (parts) take_sides(own, limit, border);
      });
      if (!parts) return;
      words_.part(border);
      are_away_ = !are_away_;
    }

    void sort_own() noexcept {
      const auto [begin, end] = words_.all();
      if (words_.sorts() && begin < end) spreader_.sort_any({begin, end, are_away_}, end);
    }

   private:
    Records& side(bool away) noexcept { return away ? away_ : home_; }

    // Of the words of those at the same ones before processor `id`.
    std::size_t below_before(std::size_t id) const noexcept {
      std::size_t below = 0;
      for (std::size_t i = words_.first(); i < id; ++i) below += told_[i].below;
      return below;
    }

    // Nearest to that which has as many of the words below it as half of those who are at them
    // should get: a key or, where it is frequent, what is just above.
    std::uint64_t limit_for_all() noexcept {
      auto sample = words_.sample(side(are_away_));
      const auto middle = sample.begin() + words_.rank();
      std::ranges::sort(sample);
      const auto [equal, above] = std::ranges::equal_range(sample, *middle);
      return std::uint64_t{*middle} + (above - middle < middle - equal ? 1 : 0);
    }

    void take_sides(const Range& own, std::uint64_t limit, std::size_t border) noexcept {
      const std::size_t before = below_before(steps_.id());
      const std::size_t below = told_[steps_.id()].below;
      Records& to = side(!are_away_);
      side(are_away_).from(own.begin).take_counted_word_sides(
          own.end - own.begin, limit, to.from(words_.all().begin + before), below,
          to.from(border + (own.begin - words_.all().begin) - before));
    }

    Records home_;
    Records away_;
    std::vector<Told>& told_;
    Steps& steps_;
    Halving words_;
    bool are_away_ = false;  // where the words are
    WordSpreader<Records> spreader_;
  };

  Records home_;
  Records away_;
  std::size_t size_;
  const SortConfig& config_;
  std::vector<Told> told_;
};

/// Of records that are none it is never there.
template <class Records>
using PartedWordsOf =
    std::conditional_t<Records::kMayBeWords, PartedWords<Records>, std::monostate>;

}  // namespace postroom::sorting
