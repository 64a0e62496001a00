// The engine of copy_sorted(): records that are read in pieces, and written in buckets.
//
//   sample    some keys tell between which values most lie; these are cut into buckets of equal
//             width, and what lies outside belongs to the first and the last. Where one of them
//             would be too large for one processor they are narrower, or it is not done so
//   look      where the sample is in order, each processor reads its share to see whether all are.
//             Then they are only copied
//   place     each processor reads its share piece by piece and places it into buckets
//             (sort/engine/chunked_buckets.h)
//   finish    buckets are claimed one by one (sort/engine/claims.h), gathered and sorted in memory
//             that stays in the cache of the processor, and written from there
//
// Every processor of one team calls run() once. Cost: a barrier for each step. Errors: what is
// thrown is kept for rethrow().
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "numa/cacheline.h"
#include "numa/rounding.h"
#include "sort/copy_sorted.h"
#include "sort/engine/chunked_buckets.h"
#include "sort/engine/claims.h"
#include "sort/engine/config.h"
#include "sort/engine/digit.h"
#include "sort/engine/failure.h"
#include "sort/engine/finish.h"
#include "sort/engine/order.h"
#include "sort/engine/part.h"
#include "sort/engine/progress.h"
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
        own_(processors),
        claims_(processors),
        progress_(progress) {}

  /// The part of one processor; called by all. Processor 0 reports progress.
  void run(Team team) {
    Steps steps(team, failure_);
    if (pieces_bytes() > most_pieces_bytes()) return;
    if (!steps.together([&] { look_at_some(steps); })) return;
    if (!steps.together([&] { choose_way(steps); })) return;
    if (rising_sample_) {
      if (!steps.together([&] { look_at_share(steps); })) return;
      if (are_in_order()) {
        if (steps.id() == 0) done_ = true;
        return steps.apart([&] { copy_share(steps); });
      }
    }
    if (!fits_) return;
    if (!steps.together([&] { place_share(steps); })) return;
    if (!steps.together([&] { sum_up(steps); })) return;
    if (!steps.together([&] { deal_out(steps); })) return;
    if (!done_) return;
    steps.in_any_case([&] { finish_all(steps); });
    buckets_.give_back(steps.id());
  }

  /// Throws what went wrong, if anything did. After all processors have ended.
  void rethrow() const { failure_.rethrow(); }
  /// Whether the records have been written; without a failure.
  bool done() const noexcept { return done_; }

 private:
  using Bits = typename Records::Bits;
  // Of the time.
  static constexpr double kLookedFraction = 0.3;
  static constexpr double kPlacedFraction = 0.45;

  // At least so many buckets for each processor, so that a fair one is far from too large.
  static constexpr std::size_t kBucketsForOne = 32;
  // So many keys are looked at for each processor, so that few lie outside of what they show.
  static constexpr std::size_t kSampleForOne = 64;
  // With so many, those of floating-point keys around zero are small enough: an octave is four.
  static constexpr int kMostBits = 14;

  // What a processor found in its share, and its memory.
  struct alignas(kNoSharing) Own {
    bool rising = true;
    Bits first = 0;
    Bits last = 0;
    std::vector<std::byte> piece;
    std::vector<Bits> sample;
  };

  Records records_in(std::byte* memory) const { return Records(memory, key_of_); }

  // Reads this processor's share piece by piece and calls use(records, how many, number of the
  // first) until it says that this is enough. Takes that part of the progress.
  template <class Use>
  void for_pieces(const Steps& steps, double from, double to, Use&& use) {
    Own& own = own_[steps.id()];
    const Range share = steps.share(0, size_);
    for (std::size_t first = share.begin; first < share.end; first += piece_records_) {
      const std::size_t count = std::min(piece_records_, share.end - first);
      stored_.read(first, std::span(own.piece).first(count * Records::kRecordBytes));
      if (!use(records_in(own.piece.data()), count, first)) return;
      if (steps.id() != 0 || !progress_.wanted()) continue;
      const double done = static_cast<double>(first + count) / static_cast<double>(share.end);
      progress_.report(from + (to - from) * done);
    }
  }

  // --- Which way.

  void look_at_some(const Steps& steps) {
    Own& own = own_[steps.id()];
    own.piece.resize(piece_records_ * Records::kRecordBytes);
    const std::span<std::byte> record = std::span(own.piece).first(Records::kRecordBytes);
    const std::size_t keys =
        std::max(ceil_divide(config_.sample_records, own_.size()), kSampleForOne);
    const Range share = steps.share(0, size_);
    const std::size_t step = std::max<std::size_t>((share.end - share.begin) / keys, 1);
    for (std::size_t i = share.begin; i < share.end; i += step) {
      stored_.read(i, record);
      own.sample.push_back(records_in(record.data()).key(0));
    }
  }

  void choose_way(const Steps& steps) {
    if (steps.id() != 0) return;
    std::vector<Bits> sample;
    for (const Own& own : own_) sample.insert(sample.end(), own.sample.begin(), own.sample.end());
    rising_sample_ = std::ranges::is_sorted(sample);
    // With even buckets; what they really take is known once they are filled.
    fits_ = choose_digit(sample) && memory_bytes(size_ / digit_.values()) <= most_bytes_;
    if (!fits_) return;
    buckets_ = {digit_.values(), size_, own_.size()};
    sizes_.resize(digit_.values());
  }

  // Whether there are buckets of which none seems to be too large for one processor.
  bool choose_digit(const std::vector<Bits>& sample) {
    if (sample.empty()) return true;
    const auto [least, most] = std::ranges::minmax(sample);
    const int fair_bits = width_of(kBucketsForOne * own_.size()) - 1;
    for (const int bits :
         {std::max(split_bits_for(size_, config_), std::min(fair_bits, kMostBits)), kMostBits}) {
      digit_ = {least, most, bits};
      std::vector<std::size_t> counts(digit_.values());
      for (const Bits key : sample) ++counts[digit_.of(key)];
      const double largest = static_cast<double>(std::ranges::max(counts)) /
                             static_cast<double>(sample.size()) * static_cast<double>(size_);
      if (largest <= static_cast<double>(most_in_bucket())) return true;
    }
    return false;
  }

  // Larger ones would leave the other processors idle, or take too much memory: also where there
  // is one processor, unlike most_for_one().
  std::size_t most_in_bucket() const noexcept {
    const std::size_t shares = std::max<std::size_t>(own_.size(), 2) * config_.giant_divisor;
    return std::max(size_ / shares, config_.alone_records);
  }

  std::size_t memory_bytes(std::size_t largest_bucket) const noexcept {
    return ChunkedBuckets<Records>::bytes(digit_.values(), size_, own_.size()) +
           own_.size() * 2 * largest_bucket * Records::kRecordBytes + pieces_bytes();
  }
  std::size_t pieces_bytes() const noexcept {
    return own_.size() * piece_records_ * Records::kRecordBytes;
  }
  // With more, fewer processors would be better.
  std::size_t most_pieces_bytes() const noexcept {
    return std::max(std::min(most_bytes_, size_ * Records::kRecordBytes),
                    config_.alone_records * Records::kRecordBytes);
  }

  // --- In order.

  // Whether the piece goes on in order; `last` is the key before it, unless it is the first.
  bool goes_on(const Records& records, std::size_t size, bool is_first, Bits last) const {
    return (is_first || !(records.key(0) < last)) &&
           !any_neighbours(records, 1, size, std::greater<>());
  }

  void look_at_share(const Steps& steps) {
    Own& own = own_[steps.id()];
    const std::size_t begin = steps.share(0, size_).begin;
    for_pieces(steps, 0, kLookedFraction,
               [&](const Records& records, std::size_t size, std::size_t first) {
                 own.rising = goes_on(records, size, first == begin, own.last);
                 if (first == begin) own.first = records.key(0);
                 own.last = records.key(size - 1);
                 // Relaxed: only says that nothing more need be looked at.
                 if (!own.rising) falls_.store(true, std::memory_order_relaxed);
                 // Relaxed: as above.
                 return !falls_.load(std::memory_order_relaxed);
               });
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

  // What is in order no longer is found out; it would be written as it is.
  void copy_share(const Steps& steps) {
    Own& own = own_[steps.id()];
    const std::size_t begin = steps.share(0, size_).begin;
    Bits last = own.last;
    for_pieces(steps, kLookedFraction, 1,
               [&](const Records& records, std::size_t size, std::size_t first) {
                 if ((first == begin && records.key(0) != own.first) ||
                     !goes_on(records, size, first == begin, last)) {
                   throw SourceChangedError();
                 }
                 last = records.key(size - 1);
                 stored_.write(first, std::span(own.piece).first(size * Records::kRecordBytes));
                 return true;
               });
    if (last != own.last) throw SourceChangedError();
  }

  // --- Not in order.

  void place_share(const Steps& steps) {
    buckets_.take_memory(steps.id());
    for_pieces(steps, 0, kPlacedFraction,
               [&](const Records& records, std::size_t size, std::size_t) {
                 buckets_.place(steps.id(), records, size, digit_);
                 return true;
               });
  }

  void sum_up(const Steps& steps) {
    const Range own = steps.share(0, sizes_.size());
    for (std::size_t b = own.begin; b < own.end; ++b) sizes_[b] = buckets_.size(b);
  }

  void deal_out(const Steps& steps) {
    if (steps.id() != 0) return;
    for (std::size_t b = 0, begin = 0; b < sizes_.size(); ++b) {
      const std::size_t size = sizes_[b];
      largest_ = std::max(largest_, size);
      if (size == 0) continue;
      filled_.push_back(b);
      places_.push_back({begin, begin + size});
      begin += size;
    }
    // A sample is right within a factor; twice as much is sorted all the same.
    if (largest_ > 2 * most_in_bucket() || memory_bytes(largest_) > most_bytes_) return;
    claims_.deal_out(places_, size_);
    done_ = true;
  }

  void finish_all(const Steps& steps) {
    const std::size_t bytes = largest_ * Records::kRecordBytes;
    const auto gathered = std::make_unique_for_overwrite<std::byte[]>(bytes);
    const auto sorted = std::make_unique_for_overwrite<std::byte[]>(bytes);
    Claims::Claimer claimer(claims_, steps.id());
    for (auto i = claimer.next(); i != Claims::kNone && !steps.failed_apart(); i = claimer.next()) {
      finish(steps, i, gathered.get(), sorted.get());
    }
  }

  void finish(const Steps& steps, std::size_t i, std::byte* gathered, std::byte* sorted) {
    const Part& place = places_[i];
    buckets_.gather(filled_[i], gathered);
    Finisher<Records>(records_in(sorted), records_in(gathered), place.size(), config_)
        .finish({0, place.size(), true});
    stored_.write(place.begin, {sorted, place.size() * Records::kRecordBytes});
    if (!progress_.wanted()) return;
    // Relaxed: a number to show.
    const std::size_t done =
        finished_records_.fetch_add(place.size(), std::memory_order_relaxed) + place.size();
    const double fraction = static_cast<double>(done) / static_cast<double>(size_);
    if (steps.id() == 0) progress_.report(kPlacedFraction + (1 - kPlacedFraction) * fraction);
  }

  const StoredRecords& stored_;
  KeyOf key_of_;
  std::size_t size_;
  std::size_t most_bytes_;
  const SortConfig& config_;
  std::size_t piece_records_;
  std::vector<Own> own_;
  bool rising_sample_ = false;
  std::atomic<bool> falls_{false};  // somewhere
  ClampedDigit<Bits> digit_;
  bool fits_ = false;  // as far as a sample and even buckets tell
  ChunkedBuckets<Records> buckets_;
  std::vector<std::size_t> sizes_;   // of them
  std::vector<std::size_t> filled_;  // those that are not empty
  std::vector<Part> places_;         // where these will be
  std::size_t largest_ = 0;          // of their sizes
  Claims claims_;
  bool done_ = false;
  Progress progress_;
  std::atomic<std::size_t> finished_records_{0};
  Failure failure_;
};

}  // namespace postroom::sorting
