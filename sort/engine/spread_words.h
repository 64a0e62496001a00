// Spreading words: records of 8 bytes whose key is one half, sorted stably by one processor, in
// parts so small that a network of vectors sorts each (sort/vectors/network_sort.h).
//
//   spread   by the highest digit that varies, into buckets a quarter as large as a network, as a
//            rule; on its way home each of them is sorted. Where so few bits vary that one digit
//            takes them all, nothing is left to sort
//   around   where many keys are alike, or a digit would leave most of them together, or there are
//            few, or more than fit the second cache, words are moved to both sides of one of them
//            (sort/vectors/word_sides.h): those below home, to where they belong or before it,
//            those above to the scratch, side by side. So nobody counts, and the half of the
//            scratch that is behind them is not touched. A key that is frequent is home then
//
// A network numbers the words that it gets, so it does not matter how many of them are alike.
// Keys without gaps go straight to their places (sort/engine/place_distinct.h).
//
// Source: our own; it is sort/engine/spread.h, made stable. Cost on one core (AMD Zen 5), ns a
// word: 2.2 to 2.4 of 10^4 and 10^5 uniform ones, N or zipf, 1.9 and 1.55 of S; of 10^6 2.8 to 3.4,
// S 1.6. Memory: a table of counts, 16 KiB, a byte for each of up to 10^5 words, and a list of the
// parts that wait. Nothing throws after the constructor.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "sort/engine/config.h"
#include "sort/engine/count.h"
#include "sort/engine/median_sample.h"
#include "sort/engine/part.h"
#include "sort/engine/place.h"
#include "sort/engine/place_distinct.h"
#include "sort/engine/spread_digit.h"
#include "sort/vectors/network_sort.h"
#include "sort/vectors/word_sides.h"

namespace postroom::sorting {

/// Whether this processor sorts words of 64 bits by networks.
inline bool sorts_words(const SortConfig& config) noexcept {
  return config.networks && has_word_networks();
}

/// Whether records are words to networks, and sorted so.
template <class Records>
bool can_spread_words(const Records& home, const SortConfig& config) noexcept
    requires(Records::kMayBeWords) {
  return sorts_words(config) && home.are_words();
}

template <class Records>
class WordSpreader {
 public:
  /// `home` and `away` hold all words that parts may name; no part has more than `most_words`, less
  /// than 2^32. Precondition: can_spread_words(). Throws std::bad_alloc.
  WordSpreader(const Records& home, const Records& away, std::size_t most_words,
               const SortConfig& config)
      : home_(home),
        away_(away),
        most_by_digit_(2 * config.radix_bytes / Records::kRecordBytes),
        most_(config.sides_bytes / Records::kRecordBytes),
        distinct_(std::min(most_words, most_by_digit_)),
        digit_(most_in_network_ / 4, most_in_network_, kLeastBits, most_words, 0, config) {
    // Far more than ever wait, of any number of words.
    constexpr std::size_t kMany = std::size_t{1} << 26;
    waiting_.reserve(std::min(most_words, std::max(most_, kMany)) / most_in_network_ + 1);
  }

  /// Whether this is the way for so many: they fit what one processor has of the third cache.
  bool is_for(std::size_t size) const noexcept { return size <= most_; }

  /// Sorts a part of any size and brings it home. Nobody else is at work at [part.end, limit).
  void sort_any(const Part& part, std::size_t limit) noexcept {
    sort_soon({part.begin, part.size(), part.begin, part.away}, limit - part.begin);
    while (!waiting_.empty()) {
      const Words next = waiting_.back();
      waiting_.pop_back();
      sort_level(next);
    }
  }

 private:
  using Bits = typename Records::Bits;
  using Count = SpreadDigit::Count;
  static constexpr int kLeastBits = 4;
  // Up to so many words networks are sooner reached by sides than by a digit.
  static constexpr std::size_t kMostForSides = 512;

  // Words that belong home from `begin` on. They are there, or else away from `room` on, where
  // there is room for them in any case.
  struct Words {
    std::size_t begin;
    std::size_t size;
    std::size_t room;
    bool away;
    bool by_digit = false;  // whether a key from a sample did not tell them apart
  };

  Records home_of(const Words& words) noexcept { return home_.from(words.begin); }
  Records room_of(const Words& words) noexcept { return away_.from(words.room); }
  Records place_of(const Words& words) noexcept {
    return words.away ? room_of(words) : home_of(words);
  }
  // Where they are not.
  Records other_place_of(const Words& words) noexcept {
    return words.away ? home_of(words) : room_of(words);
  }

  // What waits is sorted before what has waited longer.
  void sort_soon(const Words& words, std::size_t limit) noexcept {
    if (words.size > most_in_network_) {
      waiting_.push_back(words);  // within what was reserved: no two of them overlap
    } else if (words.size > 0) {
      home_of(words).take_sorted_words(place_of(words), words.size, limit);
    }
  }

  void sort_level(const Words& words) noexcept {
    if (words.by_digit) return sort_by_digit(words, false);
    const MedianSample<Bits> sample(place_of(words), {0, words.size, false});
    if (words.size <= kMostForSides || words.size > most_by_digit_ || sample.defies_digits()) {
      return sort_around(words, sample);
    }
    sort_by_digit(words, sample.has_even_digits());
  }

  void bring_home(const Words& words) noexcept {
    if (words.away) home_of(words).take_all(room_of(words), 0, words.size);
  }

  // --- By a digit.

  void sort_by_digit(Words words, bool evenly) noexcept {
    const Records from = place_of(words);
    const Records to = other_place_of(words);
    const Part all{0, words.size, false};
    const auto varying = common_bits(from, 0, words.size).varying();
    if (varying == 0) return bring_home(words);
    words.away = !words.away;
    if (distinct_.place(from, all, varying, to)) return bring_home(words);
    const Digit digit = digit_.takes_whole(words.size, varying)
                            ? digit_.count_whole(from, all, varying, to)
                            : digit_.count_highest(from, all, varying, to, evenly);
    Count* const ends = digit_.ends();
    places_from_counts(ends, digit.values(), Count{0});
    place<Prefetch::kNext>(from, 0, words.size, digit, to, ends);
    if (digit.shift <= whole_digit(varying).shift) return bring_home(words);
    std::size_t begin = 0;
    for (std::size_t d = 0; d < digit.values(); ++d) {
      const std::size_t end = ends[d];
      sort_soon({words.begin + begin, end - begin, words.room + begin, words.away},
                words.size - begin);
      begin = end;
    }
  }

  // --- Around a key.

  // Those at both sides of the median. Of those that have it, where they are many, nothing is left
  // to do.
  void sort_around(Words words, const MedianSample<Bits>& sample) noexcept {
    const std::uint64_t key = sample.pivot().key;
    const std::size_t all = words.size;
    Words below;
    if (sample.begins_with_median()) {
      below = take_below(words, key + 1);
      take_out(below, words.room + words.size, key);
    } else {
      below = take_below(words, key);
      if (below.size == 0 || sample.has_many_like_median()) take_below(words, key + 1);
    }
    below.room = words.room;
    // What is below has all of the room again when what is above has been sorted.
    for (Words* const rest : {&below, &words}) {
      rest->by_digit = rest->size > all / 8 * 7;
      sort_soon(*rest, rest->size);
    }
  }

  // Takes those out that have the largest key there is among these: all of them, as a rule.
  void take_out(Words& words, std::size_t room, std::uint64_t key) noexcept {
    Words equal = words;
    words.size = 0;
    if (common_bits(home_of(equal), 0, equal.size).varying() == 0) return;
    equal.room = room;
    words = take_below(equal, key);
    bring_home(equal);
  }

  // Takes those with a key below `limit` home from the front of `words`, the others away.
  Words take_below(Words& words, std::uint64_t limit) noexcept {
    const std::size_t count =
        place_of(words).take_word_sides(words.size, limit, home_of(words), room_of(words));
    const Words below{words.begin, count, words.room, false};
    words = {words.begin + count, words.size - count, words.room, true};
    return below;
  }

  Records home_;
  Records away_;
  std::size_t most_in_network_ = most_in_network<std::uint64_t>(network_vector_bytes());
  std::size_t most_by_digit_;
  std::size_t most_;
  DistinctPlacer distinct_;
  SpreadDigit digit_;
  std::vector<Words> waiting_;  // those too many for a network
};

/// Whether digits would leave many of these words together.
template <class Records>
bool words_defy_digits(const Records& words, std::size_t size) requires(Records::kMayBeWords) {
  using Sample = MedianSample<typename Records::Bits>;
  return size >= Sample::kKeys && Sample(words, {0, size, false}).defies_digits();
}

/// Of records that are none it is never there.
template <class Records>
using WordSpreaderOf =
    std::conditional_t<Records::kMayBeWords, WordSpreader<Records>, std::monostate>;

}  // namespace postroom::sorting
