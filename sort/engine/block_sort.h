// Sorting in place: bare keys that do not fit the third cache, moved in blocks.
//
//   split     each processor splits its share into blocks of keys of one bucket, and a rest of each
//             bucket (sort/engine/block_split.h). Buckets are of equal width between two keys of a
//             sample, and each is to fit the second cache
//   exchange  blocks are taken to the region of the processor that owns their bucket
//             (sort/engine/block_exchange.h)
//   gather    each processor moves the blocks of its region until those of a bucket lie side by
//             side, from the slot on in which its first key belongs
//   finish    processors claim rows of buckets. From the last bucket of a row down, the keys of its
//             first slot that lie before its place, and its rests, are put behind its blocks, and
//             it is sorted there, by way of the scratch (sort/engine/finish.h). What a row has
//             before its place is saved before any is finished
//
// Not stable, which cannot be seen on bare keys. The scratch is only touched as far as the rests
// and the largest bucket of each processor take, and stays in cache. So nothing of the size of the
// array has to come from the system, or to be read before it is written.
//
// Source: M. Axtmann, S. Witt, D. Ferizovic and P. Sanders, "In-Place Parallel Super Scalar
// Samplesort" (2017), for buffers and blocks that are exchanged. Ours go to where they belong
// without a shared counter, to regions first.
//
// Memory: the buffers, 2^bits of 512 bytes for each processor, in the scratch, whose pages are
// large; and eight bytes for each block. Cost: six barriers, and those of the exchange. 10^8 keys
// on one processor (AMD Zen 5), ns a key: u32 split 0.9, gather 0.3, finish 1.65; u64 1.2, 0.5,
// 2.1. What was slower: docs/sort_tried.md.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "numa/cacheline.h"
#include "sort/engine/block_exchange.h"
#include "sort/engine/block_slots.h"
#include "sort/engine/block_split.h"
#include "sort/engine/claims.h"
#include "sort/engine/config.h"
#include "sort/engine/digit.h"
#include "sort/engine/fill.h"
#include "sort/engine/finish.h"
#include "sort/engine/median_sample.h"
#include "sort/engine/part.h"
#include "sort/engine/progress.h"
#include "sort/engine/spread.h"
#include "sort/engine/steps.h"
#include "sort/engine/team.h"

namespace postroom::sorting {

template <class Records>
class BlockSort {
 public:
  /// Of home[0, size). `away` has room for `in_away` keys. What is referred to, the callback too,
  /// must outlive it. Precondition: fits(). Throws std::bad_alloc.
  BlockSort(const Records& home, const Records& away, std::size_t size, std::size_t in_away,
            std::size_t processors, const SortConfig& config,
            const std::function<void(double)>& progress)
      : home_(home),
        away_(away),
        size_(size),
        in_away_(in_away),
        config_(config),
        digit_(sampled_digit(home, size, in_away, processors, config)),
        slots_(home, size),
        exchange_(slots_, processors),
        buckets_(digit_.values() + 1),
        regions_(processors + 1),
        rows_(std::min(processors * kRows, digit_.values())),
        before_rows_(rows_.size()),
        claims_(processors),
        workers_(processors),
        progress_(progress) {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const Range row = share_of({0, digit_.values()}, i, rows_.size());
      rows_[i] = {row.begin, row.end, false};
    }
    claims_.deal_out(rows_, digit_.values());
  }

  /// Whether the buffers of so many processors are small beside their room.
  static bool fits(std::size_t size, std::size_t in_away, std::size_t processors,
                   const SortConfig& config) {
    return has_room(digit_bits(size, in_away, processors, config), in_away, processors) &&
           size / kBlock < Slots::kEmpty;
  }

  /// Whether this is the way: the keys are too many for the cache, and differ in more bits than are
  /// counted, and buckets of equal width seem to tell them apart, evenly enough for so many
  /// processors.
  static bool pays(const Records& home, std::size_t size, std::size_t in_away,
                   std::size_t processors, const SortConfig& config) {
    if (size <= config.sides_bytes / Records::kRecordBytes || size < MedianSample<Bits>::kKeys) {
      return false;
    }
    if (!can_spread<Records>(config) || !fits(size, in_away, processors, config) ||
        !is_long_to_count(home, 0, size, config)) {
      return false;
    }
    const MedianSample<Bits> sample(home, {0, size, false});
    if (sample.has_many_alike()) return false;
    return (processors == 1 && !sample.defies_digits()) ||
           seems_even(home, size, in_away, processors, config);
  }

  /// Called by all. Where a table cannot be had, nothing has been moved. Processor 0 reports
  /// progress, up to but not including 1.
  void run(Steps& steps) {
    if (!prepare(steps)) return;
    split(steps);
    exchange(steps);
    gather(steps);
    finish(steps);
  }

  /// The steps of run(), for those who want to know what each takes. False when somebody has
  /// failed; after that only the progress callback can fail, and keys are brought home all the
  /// same.
  [[nodiscard]] bool prepare(Steps& steps) {
    return steps.together([&] { workers_[steps.id()].emplace(*this, steps); });
  }
  void split(Steps& steps) {
    steps.in_any_case([&] {
      workers_[steps.id()]->split.run();
      report(steps, kSplitFraction);
    });
    steps.in_any_case([&] {
      if (steps.id() == 0) lay_out();
    });
  }
  void exchange(Steps& steps) { exchange_.run(steps, regions_); }
  void gather(Steps& steps) {
    steps.in_any_case([&] {
      gather_region(steps.id());
      report(steps, kGatheredFraction);
    });
  }
  void finish(Steps& steps) {
    steps.in_any_case([&] { save_before_rows(steps); });
    Worker& own = *workers_[steps.id()];
    steps.in_any_case([&] { finish_rows(steps, own); });
    if (steps.id() == 0 && !steps.failed_apart()) finish_large(own.finisher);
  }

  /// What has yet to be sorted, each part by itself: buckets for which `away` has no room.
  std::vector<Range> left() const {
    std::vector<Range> parts;
    for (std::size_t b = 0; b + 1 < buckets_.size(); ++b) {
      if (size_of(b) > in_away_) parts.push_back({buckets_[b].begin, buckets_[b + 1].begin});
    }
    return parts;
  }

 private:
  using Bits = typename Records::Bits;
  using Slots = BlockSlots<Records>;
  static constexpr std::size_t kBlock = Slots::kBlock;
  static constexpr std::size_t kRows = 32;  // for each processor
  // Of the work, when a step is done.
  static constexpr double kSplitFraction = 0.3;
  static constexpr double kGatheredFraction = 0.5;

  struct Bucket {
    std::size_t begin = 0;   // of its keys, when all are in order
    std::size_t blocks = 0;  // from the slot on in which that is
    std::size_t next = 0;    // slot for one of them
  };

  // What each processor has for itself.
  struct alignas(kNoSharing) Worker {
    Worker(BlockSort& all, const Steps& steps)
        : share(steps.share(0, all.slots_.count())),
          room(steps.share(0, all.in_away_ / kBlock)),
          split(all.slots_, share, steps.id() + 1 == steps.count() ? all.size_ : share.end * kBlock,
                all.digit_, all.away_.from(room.begin * kBlock)),
          finisher(all.home_, all.away_, all.size_, all.config_) {
      room.begin = room.begin * kBlock + BlockSplit<Records>::in_buffers(all.digit_.values());
      room.end *= kBlock;
    }

    std::size_t in_room() const noexcept { return room.end - room.begin; }

    Range share;  // of the slots
    Range room;   // of what is away, behind the buffers
    BlockSplit<Records> split;
    Finisher<Records> finisher;
  };

  // A bucket is to fit the cache, with its room and what its blocks leave behind; and there are to
  // be several for each of the processors that share them. Where there is no room for the buffers
  // of so many, they are larger.
  static int digit_bits(std::size_t size, std::size_t in_away, std::size_t processors,
                        const SortConfig& config) {
    constexpr std::size_t kForOne = 16;
    const std::size_t in_cache =
        std::max<std::size_t>(config.radix_bytes / 2 / Records::kRecordBytes, 1);
    const std::size_t least = processors > 1 ? processors * kForOne : 1;
    const int least_bits = std::max(width_of(least) - 1, 1);
    int bits = std::clamp(width_of(std::max(size / in_cache, least)), 1, config.split_bits);
    while (bits > least_bits && !has_room(bits, in_away, processors)) --bits;
    return bits;
  }

  // For the buffers of each processor, and for much more.
  static bool has_room(int bits, std::size_t in_away, std::size_t processors) {
    return BlockSplit<Records>::in_buffers(std::size_t{1} << bits) <= in_away / processors / 4;
  }

  // From the least to the largest key of a sample; or without some of them at both ends, where this
  // leaves much fewer of the others together: so it is where one key is far from them, such as zero
  // from other floating-point keys.
  static ClampedDigit<Bits> sampled_digit(const Records& home, std::size_t size,
                                          std::size_t in_away, std::size_t processors,
                                          const SortConfig& config) {
    std::vector<Bits> sample = sample_of(home, size, config.sample_records);
    std::ranges::sort(sample);
    const int bits = digit_bits(size, in_away, processors, config);
    ClampedDigit<Bits> best(sample.front(), sample.back(), bits);
    std::size_t most = largest_bucket(sample, best);
    constexpr std::array<std::size_t, 2> kParts{64, 16};  // of the sample, at each end
    for (const std::size_t part : kParts) {
      const std::size_t beyond = sample.size() / part;
      const ClampedDigit<Bits> digit(sample[beyond], sample[sample.size() - 1 - beyond], bits);
      const std::size_t largest = largest_bucket(sample, digit);
      if (largest >= most / 2) continue;
      best = digit;
      most = largest;
    }
    return best;
  }

  // About `how_many` keys spread over all.
  static std::vector<Bits> sample_of(const Records& home, std::size_t size, std::size_t how_many) {
    const std::size_t step = std::max<std::size_t>(size / how_many, 1);
    std::vector<Bits> sample;
    for (std::size_t i = 0; i < size; i += step) sample.push_back(home.key(i));
    return sample;
  }

  static std::size_t largest_bucket(const std::vector<Bits>& keys,
                                    const ClampedDigit<Bits>& digit) {
    std::vector<std::size_t> counts(digit.values());
    for (const Bits key : keys) ++counts[digit.of(key)];
    return std::ranges::max(counts);
  }

  // Whether no bucket seems to be too large for one of the processors.
  static bool seems_even(const Records& home, std::size_t size, std::size_t in_away,
                         std::size_t processors, const SortConfig& config) {
    constexpr std::size_t kKeysOfAPart = 64;
    const std::size_t parts = processors * config.giant_divisor;
    const ClampedDigit<Bits> digit = sampled_digit(home, size, in_away, processors, config);
    const std::vector<Bits> sample = sample_of(home, size, parts * kKeysOfAPart);
    // With many processors there are few buckets for each; then twice the mean is no more than
    // even.
    const std::size_t most = std::clamp(2 * sample.size() / digit.values(), sample.size() / parts,
                                        sample.size() / processors);
    return largest_bucket(sample, digit) <= most;
  }

  // --- Laying out.

  std::size_t first_slot(std::size_t bucket) const noexcept {
    return buckets_[bucket].begin / kBlock;
  }

  // Where the keys of each bucket belong, and which buckets each processor gets: such that regions
  // begin next to the share that is its own. The blocks of a bucket reach no further than to the
  // slot in which the next one begins: its keys do not.
  void lay_out() noexcept {
    std::size_t begin = 0;
    std::size_t processor = 0;
    for (std::size_t b = 0; b < buckets_.size(); ++b) {
      Bucket& bucket = buckets_[b];
      bucket.begin = begin;
      bucket.next = begin / kBlock;
      for (; processor < workers_.size() && begin >= workers_[processor]->share.begin * kBlock;
           ++processor) {
        regions_[processor] = {bucket.next, b};
      }
      if (b + 1 == buckets_.size()) break;
      for (const auto& worker : workers_) {
        bucket.blocks += worker->split.blocks(b);
        begin += worker->split.in_rest(b);
      }
      begin += bucket.blocks * kBlock;
    }
    regions_[processor] = {slots_.count(), buckets_.size() - 1};
    for (const auto& worker : workers_) least_room_ = std::min(least_room_, worker->in_room());
  }

  void report(const Steps& steps, double fraction) {
    if (steps.id() == 0 && !steps.failed_apart()) progress_.report(fraction);
  }
  void report_row(const Steps& steps) {
    // Relaxed: a number to show.
    const std::size_t done = finished_rows_.fetch_add(1, std::memory_order_relaxed) + 1;
    const double fraction = static_cast<double>(done) / static_cast<double>(rows_.size());
    if (fraction < 1) report(steps, kGatheredFraction + (1 - kGatheredFraction) * fraction);
  }

  // --- Gathering.

  bool belongs(std::size_t slot) const noexcept {
    const Bucket& bucket = buckets_[slots_.bucket(slot)];
    return slot - bucket.begin / kBlock < bucket.blocks;  // also where it is less
  }

  void gather_region(std::size_t processor) noexcept {
    const std::size_t end = regions_[processor + 1].slot;
    for (std::size_t slot = regions_[processor].slot; slot < end; ++slot) {
      if (slots_.bucket(slot) != Slots::kEmpty && !belongs(slot)) carry(slot);
    }
  }

  // Takes the block in the slot to where it belongs, the one from there likewise, and so on, until
  // it comes to an empty slot.
  void carry(std::size_t slot) noexcept {
    std::array<BlockBytes, 2> memory;
    std::array<Records, 2> held = {home_.room_at(memory[0].bytes.data(), kBlock),
                                   home_.room_at(memory[1].bytes.data(), kBlock)};
    held[0].template take_some<kBlock>(0, slots_.keys(slot));
    auto bucket = slots_.bucket(slot);
    slots_.clear(slot);
    while (bucket != Slots::kEmpty) {
      std::size_t& next = buckets_[bucket].next;
      while (slots_.bucket(next) == bucket) ++next;
      const auto displaced = slots_.bucket(next);
      if (displaced != Slots::kEmpty) held[1].template take_some<kBlock>(0, slots_.keys(next));
      slots_.put(next, held[0], bucket);
      slots_.prefetch(++next);
      std::swap(held[0], held[1]);
      bucket = displaced;
    }
  }

  // --- Finishing.

  std::size_t begin_of(const Part& row) const noexcept { return buckets_[row.begin].begin; }

  // Of a slot in which a row begins, what lies before it and is overwritten by the row before.
  void save_before_rows(const Steps& steps) noexcept {
    const Range own = steps.share(0, rows_.size());
    for (std::size_t i = own.begin; i < own.end; ++i) {
      saved(i).take_all(slots_.keys(first_slot(rows_[i].begin)), 0, begin_of(rows_[i]) % kBlock);
    }
  }
  Records saved(std::size_t row) noexcept {
    return home_.room_at(before_rows_[row].bytes.data(), kBlock);
  }

  void finish_rows(Steps& steps, Worker& worker) {
    const Records room = away_.from(worker.room.begin);
    Claims::Claimer claimer(claims_, steps.id());
    for (std::size_t i = claimer.next(); i != Claims::kNone; i = claimer.next()) {
      const bool failed = steps.failed_apart();
      for (std::size_t b = rows_[i].end; b-- > rows_[i].begin;) {
        collect(b, i);
        if (size_of(b) <= least_room_ && !failed) sort_bucket(b, worker.finisher, room);
      }
      steps.apart([&] { report_row(steps); });
    }
  }

  std::size_t size_of(std::size_t bucket) const noexcept {
    return buckets_[bucket + 1].begin - buckets_[bucket].begin;
  }

  // Puts the keys of a bucket of the row to where they belong, in any order.
  void collect(std::size_t b, std::size_t row) noexcept {
    const Bucket& bucket = buckets_[b];
    std::size_t to = bucket.begin;
    if (bucket.blocks > 0) {
      const std::size_t first = first_slot(b) * kBlock;
      const std::size_t from_saved = std::clamp(begin_of(rows_[row]), first, bucket.begin) - first;
      to = first + bucket.blocks * kBlock;
      home_.from(to).take_all(saved(row), 0, from_saved);
      home_.from(to).take_all(home_.from(first), from_saved, bucket.begin - first);
      to += bucket.begin - first;
    }
    for (auto& worker : workers_) {
      const std::size_t count = worker->split.in_rest(b);
      home_.from(to).take_all(worker->split.rest(b), 0, count);
      to += count;
    }
  }

  void sort_bucket(std::size_t bucket, Finisher<Records>& finisher,
                   const Records& scratch) noexcept {
    if (size_of(bucket) == 0) return;
    finisher.work_at(home_.from(buckets_[bucket].begin), scratch);
    finisher.finish({0, size_of(bucket), false});
  }

  // Those for which no processor has room by itself.
  void finish_large(Finisher<Records>& finisher) noexcept {
    for (std::size_t b = 0; b + 1 < buckets_.size(); ++b) {
      if (size_of(b) > least_room_ && size_of(b) <= in_away_) sort_bucket(b, finisher, away_);
    }
  }

  Records home_;
  Records away_;
  std::size_t size_;
  std::size_t in_away_;
  const SortConfig& config_;
  ClampedDigit<Bits> digit_;
  Slots slots_;
  BlockExchange<Records> exchange_;
  std::vector<Bucket> buckets_;  // and where the last one ends
  std::vector<BlockRegion> regions_;
  std::vector<Part> rows_;  // of buckets
  std::vector<BlockBytes> before_rows_;
  Claims claims_;
  std::vector<std::optional<Worker>> workers_;
  std::size_t least_room_ = size_;
  Progress progress_;
  std::atomic<std::size_t> finished_rows_{0};
};

}  // namespace postroom::sorting
