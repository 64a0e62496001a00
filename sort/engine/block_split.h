// One processor's share of an array split into blocks of keys of one bucket, where it lies: the
// first step of sort/engine/block_sort.h.
//
// Each key goes to the buffer of its bucket. A full buffer is written as a block to a slot whose
// keys have been read by then. What is left over stays in the buffers: the rest of each bucket.
//
// Source: as for sort/engine/block_sort.h. Memory: a buffer of 512 bytes for each bucket, in the
// scratch; two tables with a number for each bucket. Cost of 10^8 keys on one processor (AMD Zen
// 5): 0.9 ns a u32, 1.2 a u64. Nothing here throws after the constructor.
//
//   BlockSplit<Records> split(slots, share, end, digit, room);
//   split.run();
//   split.rest(b);   // split.in_rest(b) keys of bucket b, beside split.blocks(b) blocks
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "sort/engine/block_slots.h"
#include "sort/engine/digit.h"
#include "sort/engine/rows_apart.h"
#include "sort/engine/team.h"

namespace postroom::sorting {

template <class Records>
class BlockSplit {
 public:
  using Slots = BlockSlots<Records>;
  static constexpr std::size_t kBlock = Slots::kBlock;

  /// So many keys are in all buffers together at most.
  static constexpr std::size_t in_buffers(std::size_t buckets) noexcept { return buckets * kBlock; }

  /// For the keys in the slots of `share` and those behind them up to `end`, fewer than another
  /// slot would hold. `room` is for the buffers: in_buffers() keys. What is referred to must
  /// outlive it. Throws std::bad_alloc.
  BlockSplit(Slots& slots, Range share, std::size_t end,
             const ClampedDigit<typename Records::Bits>& digit, const Records& room)
      : slots_(slots),
        share_(share),
        end_(end),
        digit_(digit),
        next_(1, digit.values()),
        blocks_(1, digit.values()),
        buffers_(room) {
    std::fill_n(blocks_.row(0), digit.values(), 0);
    for (std::size_t b = 0; b < digit.values(); ++b) next_.row(0)[b] = place_of(b);
  }

  /// Splits them.
  void run() noexcept {
    // Slot by slot the streams are overwritten from their beginnings. With a block of each held
    // back there is always room for one more in the next of them.
    slots_.clear(share_);
    Records keys = slots_.keys(share_.begin);
    const std::size_t size = end_ - share_.begin * kBlock;
    const std::size_t length = stream_slots() * kBlock;
    std::array<BlockBytes, kStreams> memory;
    Records held = keys.room_at(memory[0].bytes.data(), kStreams * kBlock);
    for (std::size_t j = 0; j < kStreams && length > 0; ++j) {
      held.from(j * kBlock).template take_some<kBlock>(0, keys.from(j * length));
    }
    if (length > 0) split_streams(keys, length);
    for (std::size_t i = 0; i < kStreams * kBlock && length > 0; ++i) split_one(held, i);
    for (std::size_t i = kStreams * length; i < size; ++i) split_one(keys, i);
  }

  /// How many blocks of a bucket it has written.
  std::size_t blocks(std::size_t bucket) const noexcept { return blocks_.row(0)[bucket]; }
  /// What is left of a bucket, and how much that is.
  Records rest(std::size_t bucket) noexcept { return buffers_.from(place_of(bucket)); }
  std::size_t in_rest(std::size_t bucket) const noexcept {
    return next_.row(0)[bucket] - place_of(bucket);
  }

 private:
  using Bits = typename Records::Bits;
  using Place = std::uint32_t;  // in the buffers
  // Keys are read from four places by turns. From one, a u32 took 0.2 ns more, 0.8 where neighbours
  // are alike (Zen 5, as all figures here).
  static constexpr std::size_t kStreams = 4;
  static constexpr std::size_t kTogether = 16;  // keys of a stream

  static constexpr Place place_of(std::size_t bucket) noexcept {
    return static_cast<Place>(bucket * kBlock);
  }

  // Digits of some keys of each stream first, so that the compiler makes vectors of it: each digit
  // found when it is used, a u32 took 0.1 ns more.
  [[gnu::noinline]] void split_streams(Records keys, std::size_t length) noexcept {
    static_assert(kBlock % kTogether == 0);
    const ClampedDigit<Bits> digit = digit_;
    Place* const next = next_.row(0);
    Records buffers = buffers_;
    for (std::size_t i = kBlock; i < length; i += kTogether) {
      std::array<std::array<Bits, kTogether>, kStreams> buckets;
      for (std::size_t j = 0; j < kStreams; ++j) {
        const Records stream = keys.from(i + j * length);
        for (std::size_t k = 0; k < kTogether; ++k) {
          buckets[j][k] = static_cast<Bits>(digit.of(stream.key(k)));
        }
      }
      const std::array<Records, kStreams> streams{keys.from(i), keys.from(i + length),
                                                  keys.from(i + 2 * length),
                                                  keys.from(i + 3 * length)};
      for (std::size_t k = 0; k < kTogether; ++k) {
        for (std::size_t j = 0; j < kStreams; ++j) {
          const Place place = next[buckets[j][k]]++;
          buffers.take(place, streams[j], k);
          if (place % kBlock == kBlock - 1) [[unlikely]]
            write_buffer(buckets[j][k]);
        }
      }
    }
  }

  void split_one(const Records& from, std::size_t i) noexcept {
    const std::size_t bucket = digit_.of(from.key(i));
    const Place place = next_.row(0)[bucket]++;
    buffers_.take(place, from, i);
    if (place % kBlock == kBlock - 1) write_buffer(bucket);
  }

  [[gnu::noinline]] void write_buffer(std::size_t bucket) noexcept {
    slots_.put(slot_of(written_++), rest(bucket), bucket);
    ++blocks_.row(0)[bucket];
    next_.row(0)[bucket] = place_of(bucket);
  }

  std::size_t stream_slots() const noexcept { return (share_.end - share_.begin) / kStreams; }

  // Where the i-th block is written: to all streams by turns, then behind them.
  std::size_t slot_of(std::size_t i) const noexcept {
    const std::size_t in_streams = kStreams * stream_slots();
    return share_.begin + (i < in_streams ? i % kStreams * stream_slots() + i / kStreams : i);
  }

  Slots& slots_;
  Range share_;
  std::size_t end_;           // of the keys
  ClampedDigit<Bits> digit_;  // clamped for keys that no sample saw; a u32 takes 0.1 ns more so
  RowsApart<Place> next_;     // where the next key of each bucket goes
  RowsApart<std::uint32_t> blocks_;
  Records buffers_;          // from the heap, in small pages, they cost a u32 0.35 ns more
  std::size_t written_ = 0;  // blocks
};

}  // namespace postroom::sorting
