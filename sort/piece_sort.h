// The engine of copy_sorted(): records that are read in pieces, twice, and written bucket by
// bucket.
//
//   count     each processor its share, piece by piece: how many have which highest digit (guessed
//             from some keys; where there is a higher one, all count again), and whether they are
//             in order. Then they are only copied
//   place     each processor reads its share again and places it into buckets, as sort/engine.h; a
//             piece that does not fit the counts any more is found out before it is placed
//   finish    buckets are claimed one by one (sort/claims.h), sorted into memory that stays in the
//             cache of the processor, and written from there
//
// Every processor of one team calls run() once. Cost: a barrier for each step, five. Errors: what
// is thrown is kept for rethrow().
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "numa/cacheline.h"
#include "numa/memory.h"
#include "sort/claims.h"
#include "sort/config.h"
#include "sort/copy_sorted.h"
#include "sort/count.h"
#include "sort/digit.h"
#include "sort/failure.h"
#include "sort/finish.h"
#include "sort/order.h"
#include "sort/part.h"
#include "sort/place.h"
#include "sort/progress.h"
#include "sort/steps.h"
#include "sort/team.h"

namespace postroom::sorting {

/// `Records` are rows, made from their memory and a KeyOf.
template <class Records, class KeyOf>
class PieceSort {
 public:
  /// What is referred to must outlive it. Throws std::bad_alloc.
  PieceSort(const StoredRecords& stored, KeyOf key_of, std::size_t most_bytes,
            std::size_t processors, const SortConfig& config,
            const std::function<void(double)>& progress)
      : stored_(stored),
        key_of_(key_of),
        size_(stored.records),
        most_bytes_(most_bytes),
        config_(config),
        piece_records_(std::max<std::size_t>(config.piece_bytes / Records::kRecordBytes, 1)),
        digit_bits_(
            std::max(split_bits_for(size_, config), width_of(kBucketsForOne * processors) - 1)),
        own_(processors),
        claims_(processors),
        progress_(progress) {}

  /// The part of one processor; called by all. Processor 0 reports progress.
  void run(Team team) {
    Steps steps(team, failure_);
    if (!steps.together([&] { prepare(steps); }) || !count_all(steps)) return;
    if (!steps.together([&] { choose_way(steps); })) return;
    switch (way_) {
      case Way::kNone:
        return;
      case Way::kCopy:
        return steps.apart([&] { copy_share(steps); });
      case Way::kSort:
        break;
    }
    if (!steps.together([&] { take_memory(steps); })) return;
    if (!steps.together([&] { place_share(steps); })) return;
    finish_all(steps);
  }

  /// Throws what went wrong, if anything did. After all processors have ended.
  void rethrow() const { failure_.rethrow(); }
  /// Whether the records have been written; without a failure.
  bool done() const noexcept { return way_ != Way::kNone; }

 private:
  using Bits = typename Records::Bits;
  static constexpr double kCountedFraction = 0.2;  // of the time
  static constexpr double kPlacedFraction = 0.45;

  // At least so many buckets for each processor, so that a fair one is far from too large.
  static constexpr std::size_t kBucketsForOne = 16;

  enum class Way { kNone, kCopy, kSort };

  // What a processor found in its share, and its memory.
  struct alignas(kNoSharing) Own {
    Digit digit;
    CommonBits<Bits> common;
    bool rising = true;
    Bits first = 0;
    Bits last = 0;
    std::vector<std::byte> piece;
    std::vector<std::size_t> counts;  // of each digit; then where its next record goes
    std::vector<std::size_t> ends;    // of what this processor places of each digit
    std::vector<std::size_t> now;     // counts of one piece
    std::unique_ptr<std::byte[]> bucket;
  };

  Records records_in(std::byte* memory) const { return Records(memory, key_of_); }

  // Reads [begin, end) piece by piece and calls use(records, how many, number of the first).
  template <class Use>
  void for_pieces(Own& own, Range range, Use&& use) {
    for (std::size_t first = range.begin; first < range.end; first += piece_records_) {
      const std::size_t count = std::min(piece_records_, range.end - first);
      stored_.read(first, std::span(own.piece).first(count * Records::kRecordBytes));
      use(records_in(own.piece.data()), count, first);
    }
  }

  // --- Counting.

  void prepare(const Steps& steps) {
    Own& own = own_[steps.id()];
    own.piece.resize(piece_records_ * Records::kRecordBytes);
    for (auto* table : {&own.counts, &own.ends, &own.now}) {
      table->resize(std::size_t{1} << digit_bits_);
    }
    if (steps.id() == 0) guess_ = choose_digit(sampled_bits());
  }

  std::uint64_t sampled_bits() {
    CommonBits<Bits> common;
    const std::size_t step = std::max<std::size_t>(size_ / config_.sample_records, 1);
    const std::span<std::byte> record = std::span(own_[0].piece).first(Records::kRecordBytes);
    for (std::size_t i = 0; i < size_; i += step) {
      stored_.read(i, record);
      common.add(records_in(record.data()).key(0));
    }
    return common.varying();
  }

  Digit choose_digit(std::uint64_t varying) const noexcept {
    return varying == 0 ? Digit{} : highest_digit(varying, digit_bits_);
  }

  // All come to the same digit. What they found is only read from then on.
  bool count_all(Steps& steps) {
    Own& own = own_[steps.id()];
    if (!steps.together([&] { count_share(steps, own); })) return false;
    CommonBits<Bits> common;
    for (const Own& other : own_) common.add(other.common);
    if (width_of(common.varying()) <= guess_.shift + guess_.bits) return true;
    own.digit = choose_digit(common.varying());
    return steps.together([&] { count_again(steps, own); });
  }

  void count_share(const Steps& steps, Own& own) {
    own.digit = guess_;
    const Range share = steps.share(0, size_);
    for_pieces(own, share, [&](const Records& records, std::size_t count, std::size_t first) {
      own.common.add(count_digit(records, 0, count, own.digit, own.counts.data()));
      own.rising = own.rising && (first == share.begin || !(records.key(0) < own.last)) &&
                   !any_neighbours(records, 1, count, std::greater<>());
      if (first == share.begin) own.first = records.key(0);
      own.last = records.key(count - 1);
    });
  }

  void count_again(const Steps& steps, Own& own) {
    std::ranges::fill(own.counts, 0);
    for_pieces(own, steps.share(0, size_),
               [&](const Records& records, std::size_t count, std::size_t) {
                 count_digit(records, 0, count, own.digit, own.counts.data());
               });
  }

  // --- Which way, and where each record goes: by processor 0.

  void choose_way(const Steps& steps) {
    if (steps.id() != 0) return;
    progress_.report(kCountedFraction);
    for (const Own& own : own_) common_.add(own.common);
    if (are_in_order()) {
      way_ = Way::kCopy;
      return;
    }
    make_places();
    if (largest_ > most_for_one() || memory_bytes() > most_bytes_) return;
    buckets_memory_ = PlacedBuffer(size_ * Records::kRecordBytes);
    claims_.deal_out(buckets_, size_);
    way_ = Way::kSort;
  }

  bool are_in_order() const noexcept {
    std::optional<Bits> last;
    for (std::size_t i = 0; i < own_.size(); ++i) {
      const Range share = share_of({0, size_}, i, own_.size());
      if (share.begin == share.end) continue;
      if (!own_[i].rising || (last && own_[i].first < *last)) return false;
      last = own_[i].last;
    }
    return true;
  }

  // Sums up the counts, digit by digit and processor by processor.
  void make_places() {
    Part bucket;
    for (std::size_t d = 0; d < own_[0].digit.values(); ++d) {
      for (Own& own : own_) {
        bucket.end += std::exchange(own.counts[d], bucket.end);
        own.ends[d] = bucket.end;
      }
      largest_ = std::max(largest_, bucket.size());
      if (bucket.size() > 0) buckets_.push_back(bucket);
      bucket.begin = bucket.end;
    }
  }

  // Larger buckets would leave the other processors idle, or take too much memory.
  std::size_t most_for_one() const noexcept {
    const std::size_t shares = std::max<std::size_t>(own_.size(), 2) * config_.giant_divisor;
    return std::max(size_ / shares, config_.alone_records);
  }

  std::size_t memory_bytes() const noexcept {
    return (size_ + own_.size() * (largest_ + piece_records_)) * Records::kRecordBytes;
  }

  // --- The rest.

  void copy_share(const Steps& steps) {
    Own& own = own_[steps.id()];
    for_pieces(own, steps.share(0, size_), [&](const Records&, std::size_t count, std::size_t i) {
      stored_.write(i, std::span(own.piece).first(count * Records::kRecordBytes));
    });
  }

  // Each touches its part first.
  void take_memory(const Steps& steps) {
    const std::span<std::byte> memory = buckets_memory_.memory();
    const Range own = steps.share(0, memory.size());
    touch_pages(memory.subspan(own.begin, own.end - own.begin));
    own_[steps.id()].bucket =
        std::make_unique_for_overwrite<std::byte[]>(largest_ * Records::kRecordBytes);
  }

  void place_share(const Steps& steps) {
    Own& own = own_[steps.id()];
    const Records buckets = records_in(buckets_memory_.data());
    for_pieces(own, steps.share(0, size_),
               [&](const Records& records, std::size_t count, std::size_t) {
                 require_unchanged(own, records, count);
                 place<Prefetch::kYes>(records, 0, count, own.digit, buckets, own.counts.data());
               });
    if (steps.id() == 0) progress_.report(kPlacedFraction);
  }

  // That the piece holds no more of any digit than were counted, and no other bits.
  void require_unchanged(Own& own, const Records& records, std::size_t count) {
    std::fill_n(own.now.data(), own.digit.values(), 0);
    CommonBits<Bits> common = count_digit(records, 0, count, own.digit, own.now.data());
    common.add(common_);
    bool fits = common.varying() == common_.varying();
    for (std::size_t d = 0; d < own.digit.values(); ++d) {
      fits &= own.now[d] <= own.ends[d] - own.counts[d];
    }
    if (!fits) throw SourceChangedError();
  }

  void finish_all(Steps& steps) {
    Claims::Claimer claimer(claims_, steps.id());
    for (auto b = claimer.next(); b != Claims::kNone && !steps.failed_apart(); b = claimer.next()) {
      steps.apart([&] { finish(steps, buckets_[b]); });
    }
  }

  void finish(const Steps& steps, const Part& bucket) {
    const Records sorted = records_in(own_[steps.id()].bucket.get());
    const Records unsorted = records_in(buckets_memory_.data()).from(bucket.begin);
    Finisher<Records>(sorted, unsorted, bucket.size(), config_).finish({0, bucket.size(), true});
    stored_.write(bucket.begin,
                  {own_[steps.id()].bucket.get(), bucket.size() * Records::kRecordBytes});
    if (!progress_.wanted()) return;
    // Relaxed: a number to show.
    const std::size_t done =
        finished_records_.fetch_add(bucket.size(), std::memory_order_relaxed) + bucket.size();
    const double fraction = static_cast<double>(done) / static_cast<double>(size_);
    if (steps.id() == 0) progress_.report(kPlacedFraction + (1 - kPlacedFraction) * fraction);
  }

  const StoredRecords& stored_;
  KeyOf key_of_;
  std::size_t size_;
  std::size_t most_bytes_;
  const SortConfig& config_;
  std::size_t piece_records_;
  int digit_bits_;
  std::vector<Own> own_;
  Digit guess_;
  CommonBits<Bits> common_;  // of all
  Way way_ = Way::kNone;
  std::size_t largest_ = 0;  // bucket
  std::vector<Part> buckets_;
  PlacedBuffer buckets_memory_;
  Claims claims_;
  Progress progress_;
  std::atomic<std::size_t> finished_records_{0};
  Failure failure_;
};

}  // namespace postroom::sorting
