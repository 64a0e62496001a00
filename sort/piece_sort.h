// The engine of copy_sorted(): records that are read in pieces, twice, and written in buckets.
//
//   sample    some keys tell between which values most lie; these are cut into buckets of equal
//             width, and what lies outside belongs to the first and the last
//   count     each processor its share, piece by piece: how many belong to which bucket, and
//             whether they are in order. Then they are only copied. Where a bucket is too large
//             for one processor, all count again into narrower ones
//   place     each processor reads its share again and places it into buckets, as
//             sort/engine/engine.h; a piece that does not fit the counts any more is found out
//             before it is placed
//   finish    buckets are claimed one by one (sort/engine/claims.h), sorted into memory that stays
//             in the cache of the processor, and written from there
//
// Every processor of one team calls run() once. Cost: a barrier for each step, five, or seven.
// Errors: what is thrown is kept for rethrow().
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
#include "sort/copy_sorted.h"
#include "sort/engine/claims.h"
#include "sort/engine/cold.h"
#include "sort/engine/config.h"
#include "sort/engine/digit.h"
#include "sort/engine/failure.h"
#include "sort/engine/finish.h"
#include "sort/engine/order.h"
#include "sort/engine/part.h"
#include "sort/engine/place.h"
#include "sort/engine/progress.h"
#include "sort/engine/rows_apart.h"
#include "sort/engine/steps.h"
#include "sort/engine/team.h"

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
        bits_(std::max(split_bits_for(size_, config),
                       std::min(width_of(kBucketsForOne * processors) - 1, kMostBits))),
        own_(processors),
        claims_(processors),
        progress_(progress) {}

  /// The part of one processor; called by all. Processor 0 reports progress.
  void run(Team team) {
    Steps steps(team, failure_);
    if (table_bytes(bits_) > most_table_bytes()) return;
    if (!steps.together([&] { prepare(steps); })) return;
    if (!steps.together([&] { count_share(steps); })) return;
    if (!steps.together([&] { choose_way(steps); })) return;
    if (way_ == Way::kCountAgain) {
      if (!steps.together([&] { count_again(steps); })) return;
      if (!steps.together([&] { choose_way_again(steps); })) return;
    }
    if (way_ == Way::kNone) return;
    if (way_ == Way::kCopy) return steps.apart([&] { copy_share(steps); });
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
  // Of the time.
  static constexpr double kCountedFraction = 0.2;
  static constexpr double kPlacedFraction = 0.45;

  // At least so many buckets for each processor, so that a fair one is far from too large.
  static constexpr std::size_t kBucketsForOne = 16;
  // So many keys are looked at for each processor, so that few lie outside of what they show.
  static constexpr std::size_t kSampleForOne = 64;
  // With so many, those of floating-point keys around zero are small enough: an octave is four.
  static constexpr int kMostBits = 14;

  enum class Way { kNone, kCountAgain, kCopy, kSort };

  // What a processor found in its share, and its memory.
  struct alignas(kNoSharing) Own {
    bool rising = true;
    Bits first = 0;
    Bits last = 0;
    std::vector<std::byte> piece;
    RowsApart<std::size_t> tables;

    // Of each bucket; then where its next record goes.
    std::size_t* counts() const noexcept { return tables.row(0); }
    // Of what this processor places of each bucket.
    std::size_t* ends() const noexcept { return tables.row(1); }
    // Counts of one piece.
    std::size_t* now() const noexcept { return tables.row(2); }
    std::unique_ptr<std::byte[]> bucket;
  };

  Records records_in(std::byte* memory) const { return Records(memory, key_of_); }

  // Reads this processor's share piece by piece and calls use(records, how many, number of the
  // first). Takes that part of the progress.
  template <class Use>
  void for_pieces(const Steps& steps, double from, double to, Use&& use) {
    Own& own = own_[steps.id()];
    const Range share = steps.share(0, size_);
    for (std::size_t first = share.begin; first < share.end; first += piece_records_) {
      const std::size_t count = std::min(piece_records_, share.end - first);
      stored_.read(first, std::span(own.piece).first(count * Records::kRecordBytes));
      use(records_in(own.piece.data()), count, first);
      if (steps.id() != 0 || !progress_.wanted()) continue;
      const double done = static_cast<double>(first + count) / static_cast<double>(share.end);
      progress_.report(from + (to - from) * done);
    }
  }

  // --- Counting.

  void prepare(const Steps& steps) {
    Own& own = own_[steps.id()];
    own.piece.resize(piece_records_ * Records::kRecordBytes);
    make_tables(own, bits_);
    if (steps.id() == 0) digit_ = sampled_digit();
  }

  static void make_tables(Own& own, int bits) {
    const std::size_t buckets = std::size_t{1} << bits;
    own.tables = {};
    own.tables = {3, buckets};
    for (auto* table : {own.counts(), own.ends(), own.now()}) std::fill_n(table, buckets, 0);
  }

  ClampedDigit<Bits> sampled_digit() {
    const std::size_t keys = std::max(config_.sample_records, kSampleForOne * own_.size());
    const std::size_t step = std::max<std::size_t>(size_ / keys, 1);
    const std::span<std::byte> record = std::span(own_[0].piece).first(Records::kRecordBytes);
    for (std::size_t i = 0; i < size_; i += step) {
      stored_.read(i, record);
      const Bits key = records_in(record.data()).key(0);
      least_ = i == 0 ? key : std::min(least_, key);
      most_ = i == 0 ? key : std::max(most_, key);
    }
    return {least_, most_, bits_};
  }

  void count(std::size_t* counts, const Records& records, std::size_t size) const {
    const ClampedDigit<Bits> digit = digit_;
    for (std::size_t i = 0; i < size; ++i) ++counts[digit.of(records.key(i))];
  }

  // Whether the piece goes on in order; `last` is the key before it, unless it is the first.
  bool goes_on(const Records& records, std::size_t size, bool is_first, Bits last) const {
    return (is_first || !(records.key(0) < last)) &&
           !any_neighbours(records, 1, size, std::greater<>());
  }

  void count_share(const Steps& steps) {
    Own& own = own_[steps.id()];
    const std::size_t begin = steps.share(0, size_).begin;
    for_pieces(steps, 0, kCountedFraction,
               [&](const Records& records, std::size_t size, std::size_t first) {
                 count(own.counts(), records, size);
                 own.rising = own.rising && goes_on(records, size, first == begin, own.last);
                 if (first == begin) own.first = records.key(0);
                 own.last = records.key(size - 1);
               });
  }

  void count_again(const Steps& steps) {
    Own& own = own_[steps.id()];
    make_tables(own, kMostBits);
    for_pieces(steps, 0, kCountedFraction,
               [&](const Records& records, std::size_t size, std::size_t) {
                 count(own.counts(), records, size);
               });
  }

  // --- Which way, and where each record goes: by processor 0.

  void choose_way(const Steps& steps) {
    if (steps.id() != 0) return;
    if (are_in_order()) {
      way_ = Way::kCopy;
      return;
    }
    make_places();
    if (largest_ <= most_for_one()) return begin_sort();
    if (bits_ >= kMostBits || table_bytes(kMostBits) > most_table_bytes()) return;
    way_ = Way::kCountAgain;
    digit_ = {least_, most_, kMostBits};
  }

  void choose_way_again(const Steps& steps) {
    if (steps.id() != 0) return;
    way_ = Way::kNone;
    make_places();
    if (largest_ <= most_for_one()) begin_sort();
  }

  void begin_sort() {
    if (memory_bytes() > most_bytes_) return;
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

  // Sums up the counts, bucket by bucket and processor by processor.
  void make_places() {
    Part bucket;
    buckets_.clear();
    largest_ = 0;
    for (std::size_t d = 0; d < digit_.values(); ++d) {
      for (Own& own : own_) {
        bucket.end += std::exchange(own.counts()[d], bucket.end);
        own.ends()[d] = bucket.end;
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
    return (size_ + own_.size() * largest_) * Records::kRecordBytes +
           table_bytes(width_of(digit_.values() - 1));
  }
  // And pieces, of all.
  std::size_t table_bytes(int bits) const noexcept {
    const std::size_t tables = 3 * sizeof(std::size_t) << bits;
    return own_.size() * (tables + piece_records_ * Records::kRecordBytes);
  }
  // With more, fewer processors would be better.
  std::size_t most_table_bytes() const noexcept {
    return std::max(std::min(most_bytes_, size_ * Records::kRecordBytes),
                    config_.alone_records * Records::kRecordBytes);
  }

  // --- The rest.

  // What is in order no longer is found out; it would be written as it is.
  void copy_share(const Steps& steps) {
    Own& own = own_[steps.id()];
    const std::size_t begin = steps.share(0, size_).begin;
    Bits last = own.last;
    for_pieces(steps, kCountedFraction, 1,
               [&](const Records& records, std::size_t size, std::size_t first) {
                 if ((first == begin && records.key(0) != own.first) ||
                     !goes_on(records, size, first == begin, last)) {
                   throw SourceChangedError();
                 }
                 last = records.key(size - 1);
                 stored_.write(first, std::span(own.piece).first(size * Records::kRecordBytes));
               });
    if (last != own.last) throw SourceChangedError();
  }

  // Each touches its part first.
  void take_memory(const Steps& steps) {
    touch_share(steps, buckets_memory_.memory());
    own_[steps.id()].bucket =
        std::make_unique_for_overwrite<std::byte[]>(largest_ * Records::kRecordBytes);
  }

  void place_share(const Steps& steps) {
    Own& own = own_[steps.id()];
    const Records buckets = records_in(buckets_memory_.data());
    for_pieces(steps, kCountedFraction, kPlacedFraction,
               [&](const Records& records, std::size_t size, std::size_t) {
                 require_room(own, records, size);
                 place<Prefetch::kNext>(records, 0, size, digit_, buckets, own.counts());
               });
  }

  // For the piece, in each bucket, as was counted.
  void require_room(Own& own, const Records& records, std::size_t size) {
    std::fill_n(own.now(), digit_.values(), 0);
    count(own.now(), records, size);
    bool fits = true;
    for (std::size_t d = 0; d < digit_.values(); ++d) {
      fits &= own.now()[d] <= own.ends()[d] - own.counts()[d];
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
  int bits_;
  std::vector<Own> own_;
  Bits least_ = 0;  // of the sample
  Bits most_ = 0;
  ClampedDigit<Bits> digit_;
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
