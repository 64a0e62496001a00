// Spreading records: those of a part that fits the cache, spread by one processor into buckets so
// small that each is sorted, stably, by a network of vectors (sort/vectors/network_sort.h).
//
//   spread   by the highest digit that varies, into buckets half as large as a network, as a rule
//   order    each of them: the network gets a word for each record, the highest bits of its key
//            that may vary above its index. No two words are equal, so the network, which is not
//            stable itself, has only one order to find; then the records are brought home in the
//            order of the indices
//
// Words have 32 bits, which a network sorts twice as fast as 64, and most buckets have no two keys
// that are alike in the 25 bits of them. Where some are, words of 64 bits tell more, and insertion
// does what even these do not tell. For bare integers there is something cheaper
// (sort/engine/spread.h).
//
// Only parts that do not fit the second cache on both sides are spread, and those of so few records
// that a network takes them at once. What else fits takes about as long by radix passes where it is
// uniform, and less where it is not (docs/sort_tried.md). Records of one word have a way of
// their own (sort/engine/spread_words.h).
//
// Source: our own; the index in the low bits is the usual way to make any sort stable.
//
// Cost of 10^5 uniform pairs: 2.4 ns a pair of u32, 3.3 of u64 (AMD Zen 5, AVX-512); radix passes
// take 4.6. With vectors of 32 bytes it was not measured.
// Memory: a table of counts, 16 KiB, and a list of the buckets that wait. Errors: what a key throws
// goes through; see sort().
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "numa/cacheline.h"
#include "sort/engine/config.h"
#include "sort/engine/count.h"
#include "sort/engine/digit.h"
#include "sort/engine/insert.h"
#include "sort/engine/part.h"
#include "sort/engine/place.h"
#include "sort/engine/spread_digit.h"
#include "sort/vectors/network_sort.h"

// GCC 12 takes arrays that are filled behind a pointer for uninitialised.
#pragma GCC diagnostic push
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

namespace postroom::sorting {

/// Records that are more than keys for a network. Short keys take few radix passes, and large
/// records would have to be moved once more.
template <class Records>
inline constexpr bool kSpreadsRecords =
    !Records::kNetworkKeys && sizeof(typename Records::Bits) >= sizeof(std::uint32_t) &&
    Records::kRecordBytes <= 32;

/// Whether records of this kind are sorted so, by this processor.
template <class Records>
bool can_spread_records(const SortConfig& config) noexcept {
  return kSpreadsRecords<Records> && config.networks && has_networks();
}

template <class Records>
class RecordSpreader {
 public:
  /// `home` and `away` hold all records that parts may name; no part has more than `most_records`.
  /// Precondition: can_spread_records(). Throws std::bad_alloc.
  RecordSpreader(const Records& home, const Records& away, std::size_t most_records,
                 const SortConfig& config)
      : home_(home),
        away_(away),
        radix_bytes_(config.radix_bytes),
        digit_(most_ / 2, most_, kLeastBits, most_records, 0, config) {
    waiting_.reserve(most_records / most_ + 1);
  }

  /// Sorts a part, in which these bits vary, and brings it home; or else returns false and has not
  /// moved anything: radix passes do better, because both sides of the part fit the second cache or
  /// most records would come into very few buckets. sort_large(part) does so with the buckets that
  /// are too large for a network; it may call this again. Whatever is thrown, part says what has
  /// yet to be brought home. Preconditions: less than 2^32 records, varying != 0.
  template <class SortLarge>
  [[nodiscard]] bool sort(Part& part, std::uint64_t varying, const SortLarge& sort_large) {
    if (part.size() <= most_) {
      sort_few(part, width_of(varying));
      return true;
    }
    if (part.size() * Records::kRecordBytes <= radix_bytes_) return false;
    const Digit digit =
        digit_.count_highest(side(part.away), part, varying, side(!part.away), false);
    if (digit_.is_crowded(part.size(), digit)) return false;
    place_all(part, digit);
    const std::size_t waited = waiting_.size();
    try {
      sort_buckets(part, digit);
      while (waiting_.size() > waited) {
        const Part next = waiting_.back();
        waiting_.pop_back();
        sort_large(next);
      }
    } catch (...) {
      for (; waiting_.size() > waited; waiting_.pop_back()) bring_home(waiting_.back());
      throw;
    }
    return true;
  }

 private:
  using Bits = typename Records::Bits;
  static constexpr int kLeastBits = 2;
  static constexpr int kIndexBits = 7;
  static constexpr std::size_t kMost = std::size_t{1} << kIndexBits;
  Records& side(bool away) noexcept { return away ? away_ : home_; }

  void bring_home(const Part& part) noexcept {
    if (part.away) home_.take_all(away_, part.begin, part.end);
  }

  // --- Spreading.

  void place_all(Part& part, Digit digit) {
    SpreadDigit::Count* const next = digit_.ends();
    places_from_counts(next, digit.values(), SpreadDigit::Count{0});
    const Records from = side(part.away).from(part.begin);
    const Records to = side(!part.away).from(part.begin);
    place<Prefetch::kNext>(from, 0, part.size(), digit, to, next);
    part.away = !part.away;
  }

  // Those that are too large wait.
  void sort_buckets(Part& part, Digit digit) {
    const SpreadDigit::Count* const ends = digit_.ends();
    const std::size_t begin = part.begin;
    for (std::size_t d = 0; d < digit.values(); ++d) {
      const Part bucket{part.begin, begin + ends[d], part.away};
      if (bucket.size() > most_) {
        waiting_.push_back(bucket);  // within what was reserved: no two of them overlap
      } else if (bucket.size() > 0) {
        sort_few(bucket, digit.shift);
      }
      part.begin = bucket.end;
    }
  }

  // --- By a network.

  // Of keys that vary in their lowest `bits` only.
  void sort_few(const Part& part, int bits) {
    if (alike_ || !sort_by_words<std::uint32_t>(part, bits)) {
      (void)sort_by_words<std::uint64_t>(part, bits);
    }
  }

  // False when words of 32 bits do not tell all records apart. Then nothing has been moved.
  template <class Word>
  bool sort_by_words(const Part& part, int bits) {
    constexpr int kKeyBits = std::numeric_limits<Word>::digits - kIndexBits;
    constexpr int kNarrowBits = std::numeric_limits<std::uint32_t>::digits - kIndexBits;
    alignas(kCacheLine) std::array<Word, kMost> words;
    const std::size_t size = part.size();
    Records from = side(part.away).from(part.begin);
    const int shift = std::numeric_limits<Bits>::digits - std::max(bits, 1);
    for (std::size_t i = 0; i < size; ++i) words[i] = word_of<Word>(from.key(i), shift, i);
    const auto bytes = std::as_writable_bytes(std::span(words)).data();
    sort_by_network(bytes, bytes, size, kMost, Word{0});
    alike_ = bits > kNarrowBits && are_alike(words.data(), size, kNarrowBits);
    if constexpr (kKeyBits == kNarrowBits) {
      if (alike_) return false;
    }
    take_home(part, from, words.data());
    if (bits > kKeyBits && alike_) insert_home_again(part);
    return true;
  }

  template <class Word>
  static Word word_of(Bits key, int shift, std::size_t index) noexcept {
    constexpr int kTooWide = std::numeric_limits<Bits>::digits - std::numeric_limits<Word>::digits;
    const Bits high = static_cast<Bits>(key << shift);
    Word word;
    if constexpr (kTooWide >= 0) {
      word = static_cast<Word>(high >> kTooWide);
    } else {
      word = static_cast<Word>(high) << -kTooWide;
    }
    return (word & ~Word{kMost - 1}) | static_cast<Word>(index);
  }

  // Whether any two are in their highest `bits`.
  template <class Word>
  static bool are_alike(const Word* words, std::size_t size, int bits) noexcept {
    const int shift = std::numeric_limits<Word>::digits - bits;
    unsigned alike = 0;
    for (std::size_t i = 1; i < size; ++i) {
      alike |= static_cast<unsigned>(((words[i] ^ words[i - 1]) >> shift) == 0);
    }
    return alike != 0;
  }

  template <class Word>
  void take_home(const Part& part, const Records& from, const Word* words) noexcept {
    Records home = home_.from(part.begin);
    if (part.away) return take_ordered(home, from, words, part.size());
    alignas(kCacheLine) std::array<std::byte, kMost * Records::kRecordBytes> memory;
    Records held = from.room_at(memory.data(), kMost);
    for (std::size_t i = 0; i < part.size(); ++i) held.take(i, from, i);
    take_ordered(home, held, words, part.size());
  }

  template <class Word>
  static void take_ordered(Records to, const Records& from, const Word* words,
                           std::size_t size) noexcept {
    constexpr std::size_t kBlock = 4;
    const auto take = [&](std::size_t i) { to.take(i, from, words[i] & (kMost - 1)); };
    std::size_t i = 0;
    for (; i + kBlock <= size; i += kBlock) {
      for (std::size_t j = 0; j < kBlock; ++j) take(i + j);
    }
    for (; i < size; ++i) take(i);
  }

  // They are at home already, in order by all but the lowest bits.
  void insert_home_again(const Part& part) {
    std::size_t begin = part.begin;
    insert_home(home_, home_, true, begin, part.end, std::numeric_limits<std::size_t>::max());
  }

  Records home_;
  Records away_;
  std::size_t most_ = most_in_network<std::uint64_t>(network_vector_bytes());
  std::size_t radix_bytes_;
  SpreadDigit digit_;
  std::vector<Part> waiting_;  // buckets that are too large for a network
  bool alike_ = false;         // whether words of 32 bits did not tell the last bucket's keys apart
};

}  // namespace postroom::sorting

#pragma GCC diagnostic pop
