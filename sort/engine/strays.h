// Records that are nearly in order: the few that are not are taken out, sorted and put back among
// the others.
//
//   find     one read. Where a key is below the one before, one of the two is a stray: whichever of
//            them leaves the others in order with what follows; where neither does, some before
//            and some behind. It stops where there would be too many, and nothing has been moved
//   settle   strays go to the scratch, the others close up; the strays are sorted; from the last
//            one down, the others above it move up and it takes its place
//
// Stable. There are two kinds of strays, and each kind is sorted by itself. A high one is above all
// others that were before it, so it goes before those with its key. A low one is below one that was
// before it, so it goes behind those with its key. Of a high and a low one with the same key, the
// high one came first. For if the low one did, the record that it is below would have been before
// the high one, too, and above it, which nothing is.
//
// Cost: two reads and writes of all in order, and some 45 to 70 ns a stray, because where it is
// cannot be guessed. With one in 64 of 10^6 it is 0.95 ns a u32 and 1.9 a pair of u64 (AMD Zen 5,
// AVX-512; without vectors of 64 bytes 1.5 and 2.4). Memory: the scratch. By one processor. Errors:
// what a key or sorting the strays throws goes through, and leaves a permutation.
//
// Source: the idea is that of C. Cook and D. Kim, "Best sorting algorithm for nearly sorted lists"
// (1980), who take out both of two that are not in order; that is not stable.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "numa/rounding.h"
#include "sort/engine/alone.h"
#include "sort/engine/config.h"
#include "sort/engine/order.h"
#include "sort/vectors/vector_strays.h"

namespace postroom::sorting {

template <class Records>
class Strays {
 public:
  /// Of home[0, size); `away` has room for as many. What is referred to must outlive it.
  Strays(const Records& home, const Records& away, std::size_t size, const SortConfig& config)
      : home_(home),
        away_(away),
        size_(size),
        config_(config),
        by_vectors_(vectors_find_falls(home)) {}

  /// Whether it is worth a look: of some records spread over all, few are below the one before.
  bool seem_few() const {
    if (size_ < kLeast || size_ < config_.stray_bytes / Records::kRecordBytes) return false;
    if (size_ > std::numeric_limits<std::uint32_t>::max()) return false;
    const std::size_t step = std::max(size_ / config_.sample_records, kOneIn);
    std::size_t falls = 0;
    std::size_t most = 3 * kSampledOneIn;
    for (std::size_t i = step; i < size_; i += step, ++most) {
      falls += static_cast<std::size_t>(home_.key(i) < home_.key(i - step));
      if (falls * kSampledOneIn > most) return false;
    }
    return true;
  }

  /// Whether few are out of order. Precondition: seem_few().
  bool find() {
    while (few_ && begin_ + 1 < size_) {
      const std::size_t i = next_fall(begin_ + 1);
      if (i == size_) break;
      if (!leave_out_one(i) && !leave_out_some(i)) leave_out_below(i);
    }
    return few_;
  }

  /// Sorts all. Precondition: find().
  void settle() {
    take_out();
    try {
      sort_strays();
      put_back();
    } catch (...) {
      for (std::size_t i = 0; i < highs_; ++i) home_.take(end_++, away_, i);
      for (std::size_t i = 0; i < lows_; ++i) home_.take(end_++, away_, first_low_ + i);
      throw;
    }
  }

 private:
  using Bits = typename Records::Bits;
  static constexpr std::size_t kLeast = 256;  // for which the scratch has room for the gaps
  static constexpr std::size_t kOneIn = 32;   // strays of so many, at most
  static constexpr std::size_t kSlack = 16;   // and these
  static constexpr std::size_t kSampledOneIn = 16;
  static constexpr std::size_t kMostAtOnce = 8;
  static constexpr std::size_t kBlock = 16;

  // Records in order, and behind them strays.
  static constexpr std::uint32_t kMostOfGap = ~std::uint32_t{0} >> 1;
  struct Gap {
    std::uint32_t kept;
    std::uint32_t strays : 31;
    std::uint32_t high : 1;
  };

  // --- Finding.

  std::size_t next_fall(std::size_t i) const {
    return sorting::next_fall(home_, i, size_, by_vectors_);
  }

  // The usual cases, without a branch that depends on which of the two it is.
  bool leave_out_one(std::size_t i) {
    if (i < begin_ + 2 || i + 4 > size_) return false;
    const Bits next = home_.key(i + 1);
    const Bits third = home_.key(i + 2);
    const auto rises = [](Bits a, Bits b) { return static_cast<unsigned>(a <= b); };
    const unsigned high =
        rises(home_.key(i - 2), home_.key(i)) & rises(home_.key(i), next) & rises(next, third);
    const unsigned low =
        rises(home_.key(i - 1), next) & rises(next, third) & rises(third, home_.key(i + 3));
    if ((high | low) == 0) return false;
    const std::size_t at = i - high;
    below_ = home_.key(at - 1);
    has_below_ = true;
    leave_out(at, at + 1, high != 0);
    return true;
  }

  // Up to kMostAtOnce of those since the last gap and of those from `i` on, as few as will do.
  bool leave_out_some(std::size_t i) {
    for (std::size_t count = 1; count <= kMostAtOnce; ++count) {
      for (std::size_t before = std::min(count, i - begin_) + 1; before-- > 0;) {
        const std::size_t next = i + count - before;
        if (next < size_ && leave_out_between(i - before, i, next)) return true;
      }
    }
    return false;
  }

  // [begin, next), which were in order up to `i`, unless what is left does not rise then.
  bool leave_out_between(std::size_t begin, std::size_t i, std::size_t next) {
    const bool has_below = begin > begin_ || has_below_;
    const Bits below = begin > begin_ ? home_.key(begin - 1) : below_;
    if (has_below && home_.key(next) < below) return false;
    for (std::size_t j = next + 1; j < std::min(next + 3, size_); ++j) {
      if (home_.key(j) < home_.key(j - 1)) return false;
    }
    if (begin < i && has_below && home_.key(begin) == below) return false;
    below_ = below;
    has_below_ = has_below;
    if (begin < i) leave_out(begin, i, true);
    for (std::size_t j = i; j < next; ++j) {
      const Bits key = home_.key(j);
      const bool fits = has_below && key == below;  // as it is neither high nor low
      if (!fits) leave_out(j, j + 1, !has_below || below < key);
    }
    return true;
  }

  // All that follow and are below the one before `i`.
  void leave_out_below(std::size_t i) {
    below_ = home_.key(i - 1);
    has_below_ = true;
    const std::size_t most = std::min(size_, i + kSlack + i / kOneIn + 1);
    std::size_t end = i + 1;
    while (end < most && home_.key(end) < below_) ++end;
    leave_out(i, end, false);
  }

  void leave_out(std::size_t begin, std::size_t end, bool high) {
    const std::size_t count = end - begin;
    few_ = few_ && strays_ + count <= kSlack + begin / kOneIn;
    if (!few_) return;
    strays_ += count;
    highs_ += high && !Records::kWholeKeys ? count : 0;
    gaps()[gap_count_++] = {static_cast<std::uint32_t>(begin - begin_),
                            static_cast<std::uint32_t>(count) & kMostOfGap, high};
    begin_ = end;
  }

  // Behind the room in which as many strays as there may be are sorted.
  Gap* gaps() noexcept {
    const auto end = reinterpret_cast<std::uintptr_t>(away_.memory(2 * (kSlack + size_ / kOneIn)));
    return reinterpret_cast<Gap*>(round_up(end, alignof(Gap)));
  }

  // --- Settling.

  void take_out() noexcept {
    first_low_ = highs_;
    std::size_t high = 0;
    std::size_t low = first_low_;
    std::size_t from = 0;
    end_ = 0;
    for (std::size_t g = 0; g < gap_count_; ++g) {
      const Gap gap = gaps()[g];
      close_up(from, gap.kept);
      from += gap.kept;
      std::size_t& to = gap.high && !Records::kWholeKeys ? high : low;
      for (std::size_t i = 0; i < gap.strays; ++i) away_.take(to++, home_, from++);
    }
    close_up(from, size_ - from);
    lows_ = low - first_low_;
  }

  // Moves the records from `from` on down to the others. In whole blocks where what lies behind
  // them has been read.
  void close_up(std::size_t from, std::size_t count) noexcept {
    std::size_t i = 0;
    if (from - end_ >= kBlock) {
      const auto block_fits = [&] {
        return i + kBlock <= count || (i < count && from + i + kBlock <= size_);
      };
      for (; block_fits(); i += kBlock) home_.template move_some<kBlock>(end_ + i, from + i);
    }
    if (from != end_) {
      for (; i < count; ++i) home_.take(end_ + i, home_, from + i);
    }
    end_ += count;
  }

  void sort_strays() {
    const std::size_t all = highs_ + lows_;
    if (highs_ > 1) sort_alone(away_, away_.from(all), highs_, config_);
    if (lows_ > 1) sort_alone(away_.from(first_low_), away_.from(all), lows_, config_);
  }

  void put_back() {
    for (std::size_t left = highs_ + lows_; left > 0; --left) {
      const std::size_t low = first_low_ + lows_ - 1;
      const bool high = highs_ > 0 && (lows_ == 0 || away_.key(low) < away_.key(highs_ - 1));
      const std::size_t from = high ? highs_ - 1 : low;
      const std::size_t to = raise(away_.key(from), high, end_ + left);
      home_.take(to - 1, away_, from);
      --(high ? highs_ : lows_);
    }
  }

  // Moves the others above a stray up, to end at `to`. Returns where they begin then.
  std::size_t raise(Bits key, bool high, std::size_t to) {
    if constexpr (Records::kFindsFalls) {
      const bool fits = to - end_ >= kRowsAtATime<Records::kRecordBytes>;
      if (by_vectors_ && fits && !(high && key == 0)) {
        const auto before = static_cast<Bits>(key - Bits{high});
        const std::size_t count = home_.raise_above(end_, to, before);
        end_ -= count;
        return to - count;
      }
    }
    const auto is_above = [&](std::size_t i) {
      const Bits other = home_.key(i);
      return high ? key <= other : key < other;
    };
    while (end_ >= kBlock && to - end_ >= kBlock) {
      std::size_t count = 0;
      for (std::size_t i = end_ - kBlock; i < end_; ++i) {
        count += static_cast<std::size_t>(is_above(i));
      }
      home_.template move_some<kBlock>(to - kBlock, end_ - kBlock);
      end_ -= count;
      to -= count;
      if (count < kBlock) return to;
    }
    while (end_ > 0 && is_above(end_ - 1)) home_.take(--to, home_, --end_);
    return to;
  }

  Records home_;
  Records away_;
  std::size_t size_;
  const SortConfig& config_;
  const bool by_vectors_;
  // While they are found.
  bool few_ = true;
  std::size_t begin_ = 0;  // of what is in order since the last gap
  bool has_below_ = false;
  Bits below_ = 0;  // the key before that, where there is one
  std::size_t gap_count_ = 0;
  std::size_t strays_ = 0;
  // Then.
  std::size_t highs_ = 0;  // at away[0, highs_)
  std::size_t first_low_ = 0;
  std::size_t lows_ = 0;  // at away[first_low_, …)
  std::size_t end_ = 0;   // of the others at home, that have not been moved up
};

/// Whether home[0, size) seems to be nearly in order: a look at some records.
template <class Records>
bool seem_nearly_in_order(const Records& home, std::size_t size, const SortConfig& config) {
  return Strays<Records>(home, home, size, config).seem_few();
}

/// Whether home[0, size) was nearly in order: then it is in order now. `away` has room for as many.
template <class Records>
bool settle_strays(const Records& home, const Records& away, std::size_t size,
                   const SortConfig& config) {
  if constexpr (Records::kWholeKeys && sizeof(typename Records::Bits) < sizeof(std::uint32_t)) {
    return false;  // they are soon counted
  } else {
    Strays<Records> strays(home, away, size, config);
    if (!strays.seem_few() || !strays.find()) return false;
    strays.settle();
    return true;
  }
}

}  // namespace postroom::sorting
