// Records of few different keys: each is moved twice, and none is counted before.
//
//   spread   each processor reads its share once. Every key has a block of the scratch that it
//            fills and then takes another one, the next that is free; so the records of a key lie
//            in order, a block here and a block there. The last records of the share, for which
//            there may be no blocks left, go to memory of their own
//   gather   what has come together is known now: each processor copies its blocks home
//
// Stable. For keys alone there is something cheaper (sort/engine/few_keys.h).
//
// Source: the blocks of Axtmann, Witt, Ferizovic and Sanders, "In-Place Parallel Super Scalar
// Samplesort (IPSSSSo)" (2017), section 4.1, with a bucket for each key and blocks that are only
// listed.
//
// Cost: two reads and two writes, a barrier. 10^5 to 10^7 pairs of u32 with 64 different keys: 2.4
// to 2.9 ns each on one core, 1.7 to 1.9 on two (AMD Zen 4). Up to 128 different keys beside 0;
// that there are more is seen after some hundred records where keys are random. Memory: `away` has
// room for as many records as `home`; for each processor 32 KiB, 4 bytes for each block, and a
// block for each key, up to 1.2 MiB. Errors: what a key throws and std::bad_alloc
// are kept in the Failure of the steps; the records are as they were.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "numa/cacheline.h"
#include "sort/engine/cold.h"
#include "sort/engine/config.h"
#include "sort/engine/digit.h"
#include "sort/engine/few_slots.h"
#include "sort/engine/heavy_sample.h"
#include "sort/engine/heavy_table.h"
#include "sort/engine/steps.h"
#include "sort/engine/team.h"

namespace postroom::sorting {

/// One processor's share, spread over blocks.
template <class Records>
class FewSpread {
 public:
  using Bits = typename Records::Bits;
  using Slots = FewSlots<Bits>;
  /// So many different keys at most. A key has a number: key i of keys() has i, key 0 the last one.
  static constexpr std::size_t kMost = Slots::kMost + 1;

  /// Of `size` records. Throws std::bad_alloc.
  FewSpread(std::size_t size, const SortConfig& config)
      : size_(size),
        block_bits_(block_bits(size, config)),
        blocks_(size >> block_bits_),
        next_(std::make_unique<Place[]>(Slots::kSlots)),
        numbers_(std::make_unique<Number[]>(Slots::kSlots)),
        following_(std::make_unique_for_overwrite<std::uint32_t[]>(blocks_)) {
    numbers_[0] = kZero;
  }

  /// Spreads home[0, size) to `away`. False when there are too many different keys. `home` is only
  /// read. Throws what a key throws, and std::bad_alloc.
  bool spread(const Records& home, Records away) {
    std::size_t i = 0;
    while (i + kGroup <= size_ && opened_ + kGroup <= blocks_) {
      if (!know(home, i, i + kGroup)) return false;
      i = spread_groups(home, away, i);
    }
    return keep_rest(home, i);
  }

  std::span<const Bits> keys() const noexcept { return slots_.keys(); }
  /// How many records have the key of this number.
  std::size_t count(std::size_t number) const noexcept { return counts_[number]; }

  /// Copies the records to `home`, those of each key from places[number] on.
  void gather(Records away, Records home, std::array<std::size_t, kMost> places) noexcept {
    for (std::size_t k = 0; k < kMost; ++k) {
      std::size_t left = counts_[k] - rest_counts_[k];
      if (left == 0) continue;
      for (std::size_t block = first_[k];; block = following_[block]) {
        const std::size_t some = std::min(left, block_records());
        left -= some;
        home.from(places[k]).take_all(away.from(place_of(block)), 0, some);
        places[k] += some;
        if (left == 0) break;  // no block follows the last one
      }
    }
    put_rest(home, places.data());
  }

 private:
  using Number = std::uint8_t;
  using Place = std::uint32_t;  // of what can have few different keys (sort/engine/heavy_sample.h)
  static constexpr Number kZero = Slots::kMost;
  static constexpr std::size_t kGroup = 16;
  static constexpr std::size_t kLeastBlockBytes = 256;

  // Of how many records a block is, as a power of two. Where they come from memory, large ones are
  // faster (10^7 pairs of u32 in blocks of 512 bytes 4.4 ns, of 8 KiB 2.8; AMD Zen 4); small ones
  // leave little to the rest, which may be a block for each key.
  static int block_bits(std::size_t size, const SortConfig& config) noexcept {
    constexpr std::size_t kBlocks = 512;
    constexpr std::size_t kMostBlockBytes = 8192;
    const std::size_t most = std::clamp(config.leaf_bytes / 128, kLeastBlockBytes, kMostBlockBytes);
    const std::size_t bytes =
        std::clamp(size * Records::kRecordBytes / kBlocks, kLeastBlockBytes, most);
    return std::max(width_of(bytes / Records::kRecordBytes) - 1, 1);
  }

  std::size_t block_records() const noexcept { return std::size_t{1} << block_bits_; }
  std::size_t place_of(std::size_t block) const noexcept { return block << block_bits_; }

  // Sees to it that the keys of home[begin, end) have slots.
  bool know(const Records& home, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Bits key = home.key(i);
      if (!slots_.has(key) && !enter(key, i)) return false;
    }
    return true;
  }

  bool enter(Bits key, std::size_t seen) noexcept {
    std::array<Place, Slots::kMost> next{};
    const auto leave = [&](std::size_t i, std::size_t slot) {
      next[i] = std::exchange(next_[slot], 0);
    };
    const auto take = [&](std::size_t i, std::size_t slot) {
      next_[slot] = next[i];
      numbers_[slot] = static_cast<Number>(i);
    };
    const std::size_t number = slots_.keys().size();
    if (!slots_.enter(key, Slots::most_of(seen), leave, take)) return false;
    numbers_[slots_.of(key)] = static_cast<Number>(number);
    return true;
  }

  // From `i` on, while keys have slots and there are blocks. Returns where it ended.
  [[gnu::noinline]] std::size_t spread_groups(const Records home, Records away, std::size_t i) {
    // Copies, which no write to a record can change.
    const Bits* const holders = slots_.holders();
    const HashSlot hash = slots_.hash();
    Place* const next = next_.get();
    const std::size_t within = block_records() - 1;
    const std::size_t size = size_;
    const std::size_t most_opened = blocks_ - kGroup;
    for (; i + kGroup <= size && opened_ <= most_opened; i += kGroup) {
      home.template prefetch_ahead<kGroup>(i);
      std::array<std::size_t, kGroup> slots;
      Bits differ = 0;
      for (std::size_t j = 0; j < kGroup; ++j) {
        const Bits key = home.key(i + j);
        slots[j] = hash.of(key);
        differ = static_cast<Bits>(differ | (holders[slots[j]] ^ key));
      }
      if (differ != 0) break;
      for (std::size_t j = 0; j < kGroup; ++j) {
        std::size_t place = next[slots[j]];
        if ((place & within) == 0) [[unlikely]]
          place = open(slots[j]);
        away.take(place, home, i + j);
        away.prefetch_after(place);
        next[slots[j]] = static_cast<Place>(place + 1);
      }
    }
    return i;
  }

  // Another block for the key of the slot. Returns the first place in it.
  [[gnu::noinline]] std::size_t open(std::size_t slot) noexcept {
    const std::size_t number = numbers_[slot];
    const auto block = static_cast<std::uint32_t>(opened_++);
    if (blocks_of_[number]++ == 0) {
      first_[number] = block;
    } else {
      following_[last_[number]] = block;
    }
    last_[number] = block;
    return place_of(block);
  }

  // Keeps home[begin, size), and then counts all.
  bool keep_rest(const Records& home, std::size_t begin) {
    if (!know(home, begin, size_)) return false;
    rest_size_ = size_ - begin;
    rest_memory_ = std::make_unique_for_overwrite<std::byte[]>(rest_size_ * Records::kRecordBytes);
    rest_numbers_ = std::make_unique_for_overwrite<Number[]>(rest_size_);
    rest_.emplace(home.room_at(rest_memory_.get(), rest_size_));
    rest_->take_all(Records(home).from(begin), 0, rest_size_);
    number_rest(home, begin, size_);
    const auto count = [&](std::size_t number, std::size_t slot) {
      counts_[number] = rest_counts_[number];
      if (blocks_of_[number] == 0) return;
      counts_[number] += place_of(blocks_of_[number] - 1) + next_[slot] - place_of(last_[number]);
    };
    for (std::size_t i = 0; i < keys().size(); ++i) count(i, slots_.of(keys()[i]));
    count(kZero, 0);
    return true;
  }

  // Of their own, with copies: the compiler takes bytes that are written for anybody's.
  [[gnu::noinline]] void number_rest(const Records home, std::size_t begin, std::size_t end) {
    const HashSlot hash = slots_.hash();
    const Number* const of_slot = numbers_.get();
    Number* const numbers = rest_numbers_.get();
    std::size_t* const counts = rest_counts_.data();
    for (std::size_t i = begin; i < end; ++i) {
      const Number number = of_slot[hash.of(home.key(i))];
      numbers[i - begin] = number;
      ++counts[number];
    }
  }
  [[gnu::noinline]] void put_rest(Records home, std::size_t* const places) const noexcept {
    const Number* const numbers = rest_numbers_.get();
    const Records rest = *rest_;
    for (std::size_t i = 0, end = rest_size_; i < end; ++i) {
      home.take(places[numbers[i]]++, rest, i);
    }
  }

  std::size_t size_;
  int block_bits_;
  std::size_t blocks_;
  std::size_t opened_ = 0;
  Slots slots_;
  // By slot.
  std::unique_ptr<Place[]> next_;  // where its next record goes; a multiple of a block: nowhere
  std::unique_ptr<Number[]> numbers_;
  // By block.
  std::unique_ptr<std::uint32_t[]> following_;
  // By number.
  std::array<std::uint32_t, kMost> first_{};
  std::array<std::uint32_t, kMost> last_{};
  std::array<std::size_t, kMost> blocks_of_{};
  std::array<std::size_t, kMost> counts_{};
  std::array<std::size_t, kMost> rest_counts_{};
  // The last records, in order.
  std::size_t rest_size_ = 0;
  std::unique_ptr<std::byte[]> rest_memory_;
  std::unique_ptr<Number[]> rest_numbers_;
  std::optional<Records> rest_;
};

template <class Records>
class FewRecords {
 public:
  /// For home[0, size) and so many processors. Throws std::bad_alloc.
  FewRecords(const Records& home, const Records& away, std::size_t size, std::size_t processors,
             const SortConfig& config)
      : home_(home), away_(away), size_(size), config_(config), told_(processors) {}

  // Counted and placed as heavy ones instead (sort/engine/heavy_records.h), such pairs take 3.8
  // to 4.3 and 2.3 to 3.3 ns (Zen 4).
  /// Whether it is worth a look.
  static bool pays(const Records& home, std::size_t size, const SortConfig& config) {
    constexpr std::size_t kLarger = std::max<std::size_t>(Records::kRecordBytes / 16, 1);
    return has_few_different(home, size, config.least_few_records * kLarger, config);
  }

  /// Called by all. False: there are too many different keys, and nothing has been moved. `cold` is
  /// the memory of `away` that nobody has touched yet.
  [[gnu::noinline]] bool sort(Steps& steps, std::span<std::byte> cold) {
    Told& own = told_[steps.id()];
    const Range share = steps.share(0, size_);
    const bool spread = steps.together([&] {
      touch_share(steps, cold);
      own.spread.emplace(share.end - share.begin, config_);
      own.are_few = own.spread->spread(home_.from(share.begin), away_.from(share.begin));
    });
    if (!spread) return true;
    Union all;
    if (!list(all)) return false;
    own.spread->gather(away_.from(share.begin), home_, places(all, steps.id()));
    return true;
  }

 private:
  using Bits = typename Records::Bits;
  using Spread = FewSpread<Records>;

  struct alignas(kNoSharing) Told {
    std::optional<Spread> spread;
    bool are_few = false;
  };
  // The keys of all shares, in order.
  struct Union {
    std::size_t size = 0;
    std::array<Bits, Spread::kMost> keys;

    // Counted by vectors: a binary search would be mispredicted three times.
    std::size_t index(Bits key) const noexcept {
      Bits below = 0;
      for (std::size_t i = 0; i < size; ++i) below = static_cast<Bits>(below + (keys[i] < key));
      return static_cast<std::size_t>(below);
    }
    bool add(Bits key) noexcept {
      const std::size_t i = index(key);
      if (i < size && keys[i] == key) return true;
      if (size == keys.size()) return false;
      const auto begin = keys.begin() + static_cast<std::ptrdiff_t>(i);
      std::copy_backward(begin, keys.begin() + static_cast<std::ptrdiff_t>(size),
                         keys.begin() + static_cast<std::ptrdiff_t>(size) + 1);
      keys[i] = key;
      ++size;
      return true;
    }
  };

  bool list(Union& all) const noexcept {
    for (const Told& told : told_) {
      if (!told.are_few) return false;
    }
    all.add(0);
    for (const Told& told : told_) {
      for (const Bits key : told.spread->keys()) {
        if (!all.add(key)) return false;
      }
    }
    return true;
  }

  // Where the records of this processor go, by the numbers of its keys.
  std::array<std::size_t, Spread::kMost> places(const Union& all,
                                                std::size_t processor) const noexcept {
    std::array<std::size_t, Spread::kMost> sums{};    // of each key
    std::array<std::size_t, Spread::kMost> before{};  // of processors before this
    std::array<std::size_t, Spread::kMost> indices;   // of its keys
    for (std::size_t i = 0; i < told_.size(); ++i) {
      if (i == processor) before = sums;
      const Spread& spread = *told_[i].spread;
      for (std::size_t k = 0; k < spread.keys().size(); ++k) {
        const std::size_t index = all.index(spread.keys()[k]);
        sums[index] += spread.count(k);
        if (i == processor) indices[k] = index;
      }
      sums[0] += spread.count(Spread::kMost - 1);
    }
    std::size_t place = 0;
    for (std::size_t i = 0; i < all.size; ++i) before[i] += std::exchange(place, place + sums[i]);
    std::array<std::size_t, Spread::kMost> places{};
    const std::size_t own_keys = told_[processor].spread->keys().size();
    for (std::size_t k = 0; k < own_keys; ++k) places[k] = before[indices[k]];
    places[Spread::kMost - 1] = before[0];
    return places;
  }

  Records home_;
  Records away_;
  std::size_t size_;
  const SortConfig& config_;
  std::vector<Told> told_;
};

}  // namespace postroom::sorting
