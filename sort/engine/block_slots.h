// An array of bare keys as a row of slots, each with room for a block of keys of one bucket, or
// empty.
//
// What sort/engine/block_sort.h moves, and what it knows of it; its source, too. Any processor may
// use a slot that no other one uses at the time. Memory: four bytes for each slot, which clear()
// writes first. Cost: a block is 512 bytes, read and written once when it is put somewhere. Nothing
// here throws after the constructor.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>

#include "numa/cacheline.h"
#include "sort/engine/team.h"

namespace postroom::sorting {

/// As many bytes as a block, on lines of their own. In place of 512, 256 take as long to sort u32,
/// and 1,024 take 0.1 ns a key more to gather (Zen 5).
struct alignas(kCacheLine) BlockBytes {
  std::array<std::byte, 512> bytes;
};

/// Where the region of a processor begins, which ends where that of the next one does.
struct BlockRegion {
  std::size_t slot;
  std::size_t bucket;
};

template <class Records>
class BlockSlots {
 public:
  using Bucket = std::uint32_t;  // its number
  static constexpr Bucket kEmpty = std::numeric_limits<Bucket>::max();
  /// Keys in a block.
  static constexpr std::size_t kBlock = sizeof(BlockBytes) / Records::kRecordBytes;

  /// Of home[0, size). Throws std::bad_alloc.
  BlockSlots(const Records& home, std::size_t size)
      : home_(home),
        count_(size / kBlock),
        buckets_(std::make_unique_for_overwrite<Bucket[]>(count_)) {}

  std::size_t count() const noexcept { return count_; }
  /// The keys from those of a slot on.
  Records keys(std::size_t slot) noexcept { return home_.from(slot * kBlock); }
  Bucket bucket(std::size_t slot) const noexcept { return buckets_[slot]; }

  void clear(std::size_t slot) noexcept { buckets_[slot] = kEmpty; }
  void clear(Range slots) noexcept {
    std::fill(buckets_.get() + slots.begin, buckets_.get() + slots.end, kEmpty);
  }

  /// Puts a block there.
  void put(std::size_t slot, const Records& block, std::size_t bucket) noexcept {
    keys(slot).template take_some<kBlock>(0, block);
    buckets_[slot] = static_cast<Bucket>(bucket);
  }

  /// Exchanges what is in two slots, of which one may be empty.
  void exchange(std::size_t a, std::size_t b) noexcept {
    if (bucket(a) == kEmpty) std::swap(a, b);
    BlockBytes memory;
    Records held = home_.room_at(memory.bytes.data(), kBlock);
    held.template take_some<kBlock>(0, keys(a));
    const Bucket of_held = bucket(a);
    if (bucket(b) == kEmpty) {
      clear(a);
    } else {
      put(a, keys(b), bucket(b));
    }
    put(b, held, of_held);
  }

  /// Exchanges what is in so many pairs of slots; next() gives two. Their lines are asked for some
  /// time before: without that, a key takes 0.02 to 0.05 ns more (two processors, Zen 5).
  template <class Next>
  void exchange_all(std::size_t count, const Next& next) noexcept {
    constexpr std::size_t kAhead = 4;
    std::array<std::array<std::size_t, 2>, kAhead> asked;
    for (std::size_t i = 0; i < count + kAhead; ++i) {
      auto& pair = asked[i % kAhead];
      if (i >= kAhead) exchange(pair[0], pair[1]);
      if (i >= count) continue;
      pair = next();
      for (const std::size_t slot : pair) prefetch(slot);
    }
  }

  /// Asks for the lines of a slot, to be written soon. There may be no such slot.
  void prefetch(std::size_t slot) const noexcept {
    constexpr std::size_t kLine = kCacheLine / Records::kRecordBytes;
    for (std::size_t i = 0; i < kBlock; i += kLine) home_.prefetch(slot * kBlock + i);
  }

 private:
  Records home_;
  std::size_t count_;
  std::unique_ptr<Bucket[]> buckets_;  // of the block in each slot
};

}  // namespace postroom::sorting
