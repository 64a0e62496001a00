// Sorting in place by one processor: bare keys that do not fit the third cache, moved in blocks.
//
//   split    each key goes to the buffer of its bucket; a full buffer is written as a block over
//            keys that have been read by then. Buckets are of equal width between the least and the
//            largest key of a sample, and each is to fit the second cache
//   gather   blocks are exchanged until those of a bucket lie side by side, in the order of the
//            buckets, from the beginning on
//   finish   from the last bucket down: what is left in its buffer is put behind its blocks, and
//            all are sorted, by way of the scratch, to where they belong (sort/finish.h). That
//            begins at or behind their first block, and what is finished begins where they end or
//            later, so nothing is overwritten that is still needed
//
// Not stable, which cannot be seen on bare keys. The scratch is only touched as far as the largest
// bucket takes, and stays in cache: nothing of the size of the array has to come from the system,
// or to be read before it is written.
//
// Source: M. Axtmann, S. Witt, D. Ferizovic and P. Sanders, "In-Place Parallel Super Scalar
// Samplesort" (2017), for buffers and blocks that are exchanged; ours are full blocks side by side,
// with neither overlaps nor gaps to clean up, because the buckets are moved once more. Memory: the
// buffers, 2^bits of 512 bytes, as a rule in the scratch, whose pages are large; and four bytes for
// each block.
//
// Cost of 10^8 keys (AMD Zen 5): u32 split 0.9 ns, gather 0.3, finish 1.65; u64 1.2, 0.5, 2.1;
// counted first and then placed in the scratch, u32 1.5 instead of the 1.2. What was tried, u32:
//   keys read from one place, not four by turns  split 0.2 more, 0.8 where neighbours are alike
//   each digit found when it is used             0.1 more; vectors find those of 64 keys
//   digits without a first and a last            0.1 less; but keys no sample saw would be wrong
//   buffers from the heap                        0.35 more: small pages
//   blocks of 256 bytes, of 1 KiB                as long; 0.1 more to gather
//   frequent keys, one a bucket, only counted    zipf: 0.7 more to split, 0.1 less afterwards
//   keys copied to the scratch, then finished    0.1 more, u64 0.3
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "numa/cacheline.h"
#include "sort/config.h"
#include "sort/digit.h"
#include "sort/fill.h"
#include "sort/finish.h"
#include "sort/median_sample.h"
#include "sort/part.h"
#include "sort/spread.h"

namespace postroom::sorting {

template <class Records>
class BlockSort {
 public:
  /// Of home[0, size). `away` has room for as many as the largest bucket has, `size` in the worst
  /// case. What is referred to must outlive it. Precondition: pays(). Throws std::bad_alloc.
  BlockSort(const Records& home, const Records& away, std::size_t size, const SortConfig& config)
      : home_(home),
        away_(away),
        size_(size),
        digit_(sampled_digit(home, size, config)),
        buckets_(digit_.values()),
        next_(std::make_unique_for_overwrite<Slot[]>(digit_.values())),
        memory_(std::make_unique_for_overwrite<Block[]>(digit_.values())),
        buffers_(home.room_at(memory_[0].bytes.data(), digit_.values() * kBlock)),
        bucket_of_(size / kBlock, kNone),
        finisher_(home, away, size, config) {
    if (in_buffers() <= size) buffers_ = away;
    for (std::size_t b = 0; b < buckets_.size(); ++b) next_[b] = buffer_of(b);
  }

  /// Whether this is the way for one processor: the keys are too many for the cache, and
  /// differ in more bits than are counted, and buckets of equal width seem to tell them apart.
  static bool pays(const Records& home, std::size_t size, const SortConfig& config) {
    if (size <= config.sides_bytes / Records::kRecordBytes || size < MedianSample<Bits>::kKeys) {
      return false;
    }
    return can_spread<Records>(config) && is_long_to_count(home, 0, size, config) &&
           !MedianSample<Bits>(home, {0, size, false}).defies_digits();
  }

  void run() noexcept {
    split();
    close_gaps();
    gather();
    finish();
  }

 private:
  using Bits = typename Records::Bits;
  using Number = std::uint32_t;  // of a bucket
  using Slot = std::uint32_t;    // in the buffers
  static constexpr Number kNone = std::numeric_limits<Number>::max();
  static constexpr std::size_t kBlockBytes = 512;
  static constexpr std::size_t kBlock = kBlockBytes / Records::kRecordBytes;  // keys
  static constexpr std::size_t kStreams = 4;
  static constexpr std::size_t kTogether = 16;  // keys of a stream

  struct alignas(kCacheLine) Block {
    std::array<std::byte, kBlockBytes> bytes;
  };

  struct Bucket {
    std::size_t block = 0;  // where its next block goes
    std::size_t end = 0;    // of its blocks
  };

  static ClampedDigit<Bits> sampled_digit(const Records& home, std::size_t size,
                                          const SortConfig& config) {
    const std::size_t step = std::max<std::size_t>(size / config.sample_records, 1);
    Bits least = home.key(0);
    Bits largest = least;
    for (std::size_t i = step; i < size; i += step) {
      least = std::min(least, home.key(i));
      largest = std::max(largest, home.key(i));
    }
    // Home, away and what the blocks leave behind.
    const std::size_t in_cache =
        std::max<std::size_t>(config.radix_bytes / 2 / Records::kRecordBytes, 1);
    return {least, largest, std::clamp(width_of(size / in_cache), 1, config.split_bits)};
  }

  static constexpr Slot buffer_of(std::size_t bucket) noexcept {
    return static_cast<Slot>(bucket * kBlock);
  }

  // Of all buffers together.
  std::size_t in_buffers() const noexcept { return buckets_.size() * kBlock; }

  Records block(std::size_t slot) noexcept { return home_.from(slot * kBlock); }

  // --- Splitting.

  // Block by block the streams are overwritten from their beginnings. With a block of each held
  // back there is always room for one more in the next of them.
  [[gnu::noinline]] void split() noexcept {
    const std::size_t length = stream_blocks() * kBlock;
    std::array<Block, kStreams> memory;
    Records held = home_.room_at(memory[0].bytes.data(), kStreams * kBlock);
    for (std::size_t j = 0; j < kStreams && length > 0; ++j) {
      held.from(j * kBlock).template take_some<kBlock>(0, home_.from(j * length));
    }
    if (length > 0) split_streams(length);
    for (std::size_t i = 0; i < kStreams * kBlock && length > 0; ++i) split_one(held, i);
    for (std::size_t i = kStreams * length; i < size_; ++i) split_one(home_, i);
  }

  // Digits of some keys of each stream first, so that the compiler makes vectors of it.
  [[gnu::noinline]] void split_streams(std::size_t length) noexcept {
    static_assert(kBlock % kTogether == 0);
    const ClampedDigit<Bits> digit = digit_;
    Slot* const next = next_.get();
    Records buffers = buffers_;
    for (std::size_t i = kBlock; i < length; i += kTogether) {
      std::array<std::array<Bits, kTogether>, kStreams> buckets;
      for (std::size_t j = 0; j < kStreams; ++j) {
        const Records stream = home_.from(i + j * length);
        for (std::size_t k = 0; k < kTogether; ++k) {
          buckets[j][k] = static_cast<Bits>(digit.of(stream.key(k)));
        }
      }
      const std::array<Records, kStreams> streams{home_.from(i), home_.from(i + length),
                                                  home_.from(i + 2 * length),
                                                  home_.from(i + 3 * length)};
      for (std::size_t k = 0; k < kTogether; ++k) {
        for (std::size_t j = 0; j < kStreams; ++j) {
          const Slot slot = next[buckets[j][k]]++;
          buffers.take(slot, streams[j], k);
          if (slot % kBlock == kBlock - 1) [[unlikely]]
            write_buffer(buckets[j][k]);
        }
      }
    }
  }

  void split_one(const Records& from, std::size_t i) noexcept {
    const std::size_t bucket = digit_.of(from.key(i));
    const Slot slot = next_[bucket]++;
    buffers_.take(slot, from, i);
    if (slot % kBlock == kBlock - 1) write_buffer(bucket);
  }

  [[gnu::noinline]] void write_buffer(std::size_t bucket) noexcept {
    const std::size_t slot = slot_of(written_++);
    block(slot).template take_some<kBlock>(0, buffers_.from(buffer_of(bucket)));
    bucket_of_[slot] = static_cast<Number>(bucket);
    next_[bucket] = buffer_of(bucket);
  }

  std::size_t stream_blocks() const noexcept { return size_ / (kStreams * kBlock); }

  // Where the i-th block is written: to all streams by turns, then behind them.
  std::size_t slot_of(std::size_t i) const noexcept {
    const std::size_t in_streams = kStreams * stream_blocks();
    return i < in_streams ? i % kStreams * stream_blocks() + i / kStreams : i;
  }

  // --- Gathering.

  void copy_block(std::size_t to, std::size_t from) noexcept {
    block(to).template take_some<kBlock>(0, block(from));
    bucket_of_[to] = bucket_of_[from];
  }

  // So that blocks are in the first slots.
  void close_gaps() noexcept {
    std::size_t last = bucket_of_.size();
    for (std::size_t slot = 0; slot < written_; ++slot) {
      if (bucket_of_[slot] != kNone) continue;
      do --last;
      while (bucket_of_[last] == kNone);
      copy_block(slot, last);
    }
  }

  void gather() noexcept {
    for (std::size_t slot = 0; slot < written_; ++slot) ++buckets_[bucket_of_[slot]].end;
    std::size_t begin = 0;
    for (Bucket& bucket : buckets_) {
      bucket.block = begin;
      begin = bucket.end += begin;
    }
    for (Number b = 0; b < buckets_.size(); ++b) {
      for (Bucket& own = buckets_[b]; own.block < own.end; ++own.block)
        exchange_until(b, own.block);
    }
  }

  // Takes the block in the slot to where it belongs, the one from there likewise, and so on, until
  // one of this bucket is in the slot.
  void exchange_until(Number bucket, std::size_t slot) noexcept {
    Number number = bucket_of_[slot];
    if (number == bucket) return;
    std::array<Block, 2> memory;
    std::array<Records, 2> held = {home_.room_at(memory[0].bytes.data(), kBlock),
                                   home_.room_at(memory[1].bytes.data(), kBlock)};
    held[0].template take_some<kBlock>(0, block(slot));
    for (; number != bucket; std::swap(held[0], held[1])) {
      std::size_t& next = buckets_[number].block;
      while (bucket_of_[next] == number) ++next;
      held[1].template take_some<kBlock>(0, block(next));
      block(next).template take_some<kBlock>(0, held[0]);
      number = std::exchange(bucket_of_[next++], number);
      prefetch_block(next);
    }
    block(slot).template take_some<kBlock>(0, held[0]);
    bucket_of_[slot] = bucket;
  }

  void prefetch_block(std::size_t slot) const noexcept {
    constexpr std::size_t kLine = kCacheLine / Records::kRecordBytes;
    for (std::size_t i = 0; i < kBlock; i += kLine) home_.prefetch_after(slot * kBlock + i - kLine);
  }

  // --- Finishing.

  std::size_t first_block(std::size_t bucket) const noexcept {
    return bucket > 0 ? buckets_[bucket - 1].end : 0;
  }
  std::size_t in_blocks(std::size_t bucket) const noexcept {
    return (buckets_[bucket].end - first_block(bucket)) * kBlock;
  }
  std::size_t in_buffer(std::size_t bucket) const noexcept {
    return next_[bucket] - buffer_of(bucket);
  }

  void finish() noexcept {
    const Records scratch = room_for_largest();
    std::size_t end = size_;
    for (std::size_t b = buckets_.size(); b > 0; --b) end -= finish_bucket(b - 1, end, scratch);
  }

  // Behind the buffers, unless there is too little.
  Records room_for_largest() noexcept {
    std::size_t largest = 0;
    for (std::size_t b = 0; b < buckets_.size(); ++b) {
      largest = std::max(largest, in_blocks(b) + in_buffer(b));
    }
    if (in_buffers() + largest <= size_) return away_.from(in_buffers());
    Records own = home_.room_at(memory_[0].bytes.data(), in_buffers());
    if (in_buffers() <= size_) own.take_all(buffers_, 0, in_buffers());
    buffers_ = own;
    return away_;
  }

  // Sorts the bucket to where it belongs, which ends at `end`. Returns how many keys it has.
  std::size_t finish_bucket(std::size_t bucket, std::size_t end, const Records& scratch) noexcept {
    const std::size_t full = in_blocks(bucket);
    const std::size_t size = full + in_buffer(bucket);
    if (size == 0) return 0;
    Records keys = block(first_block(bucket));
    keys.from(full).take_all(buffers_.from(buffer_of(bucket)), 0, in_buffer(bucket));
    finisher_.finish_from(keys, home_.from(end - size), scratch, size);
    return size;
  }

  Records home_;
  Records away_;
  std::size_t size_;
  ClampedDigit<Bits> digit_;
  std::vector<Bucket> buckets_;
  std::unique_ptr<Slot[]> next_;     // where the next key of each bucket goes
  std::unique_ptr<Block[]> memory_;  // for the buffers, where there is no room away
  Records buffers_;
  std::vector<Number> bucket_of_;  // what is in each slot
  std::size_t written_ = 0;        // blocks
  Finisher<Records> finisher_;
};

}  // namespace postroom::sorting
