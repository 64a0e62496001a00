// Few different keys: each has a slot of its own, where it is counted.
//
// Which slot a key has, a multiplication says. A key that has not been seen before takes its slot;
// where two of them meet, another factor is tried until all have slots of their own, which with so
// few of them does not take long. From then on nothing but counting is left to do: whether a block
// of keys held a new one is asked once for all of them.
//
// Source: perfect hashing by trial, as in Fredman, Komlós and Szemerédi, "Storing a Sparse Table
// with O(1) Worst Case Access Time" (1984).
//
// Cost: 0.6 ns a key (AMD Zen 5), 1 µs to give up. Two counts a slot, by turns, because one that is
// raised again and again would have to wait for itself. Memory: 2^11 slots of a key and 8 bytes. No
// more keys than a Count holds are counted.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "sort/heavy_table.h"

namespace postroom::sorting {

template <class Bits>
class FewKeys {
 public:
  using Count = std::uint32_t;
  /// So many different keys at most, beside 0.
  static constexpr std::size_t kMost = 128;

  /// Throws std::bad_alloc.
  FewKeys()
      : keys_(std::make_unique<Bits[]>(kSlots)),
        counts_(std::make_unique<Count[]>(kTurns * kSlots)) {}

  /// Counts the keys of records[begin, end); once. False when there are too many different ones:
  /// for random keys it ends there after some hundreds.
  template <class Records>
  [[nodiscard]] bool count(const Records& records, std::size_t begin, std::size_t end) noexcept {
    std::size_t i = begin;
    for (; i + kBlock <= end; i += kBlock) {
      most_ = std::min(kMost, kFirst + (i - begin) / kKeysForOne);
      if (!count_block(records, i) && !count_each(records, i, i + kBlock)) return false;
    }
    return count_each(records, i, end);
  }

  /// Calls use(key, count) for each key that was counted.
  template <class Use>
  void for_each(Use use) const {
    if (count_of(0) > 0) use(Bits{0}, count_of(0));
    for (std::size_t i = 0; i < known_; ++i) use(list_[i], count_of(slot_.of(list_[i])));
  }

 private:
  static constexpr int kSlotBits = 11;
  static constexpr std::size_t kSlots = std::size_t{1} << kSlotBits;
  static constexpr std::size_t kTurns = 2;
  static constexpr std::size_t kBlock = 16;
  static constexpr int kTries = 32;
  static constexpr std::uint64_t kNextFactor = 0xd6e8'feb8'6659'fd93;  // any odd number
  // Of the first ones so many may be new, and later one of so many.
  static constexpr std::size_t kFirst = 64;
  static constexpr std::size_t kKeysForOne = 8;

  std::size_t count_of(std::size_t slot) const noexcept {
    std::size_t sum = 0;
    for (std::size_t turn = 0; turn < kTurns; ++turn) sum += counts_[turn * kSlots + slot];
    return sum;
  }

  // False when one of the keys has no slot; then nothing has been counted.
  template <class Records>
  bool count_block(const Records& records, std::size_t begin) noexcept {
    Count* const counts = counts_.get();
    const Bits* const keys = keys_.get();
    const HashSlot slot_of = slot_;
    Bits differ = 0;
    for (std::size_t j = 0; j < kBlock; ++j) {
      const Bits key = records.key(begin + j);
      const std::size_t slot = slot_of.of(key);
      differ = static_cast<Bits>(differ | (keys[slot] ^ key));
      ++counts[j % kTurns * kSlots + slot];
    }
    if (differ == 0) return true;
    for (std::size_t j = 0; j < kBlock; ++j) {
      --counts[j % kTurns * kSlots + slot_of.of(records.key(begin + j))];
    }
    return false;
  }

  template <class Records>
  bool count_each(const Records& records, std::size_t begin, std::size_t end) noexcept {
    for (std::size_t i = begin; i < end; ++i) {
      const Bits key = records.key(i);
      if (keys_[slot_.of(key)] != key && !enter(key)) return false;
      ++counts_[slot_.of(key)];
    }
    return true;
  }

  // Gives the key a slot, which it has not.
  bool enter(Bits key) noexcept {
    if (known_ == most_) return false;
    list_[known_++] = key;
    return take_slot(key) || deal_out_anew();
  }

  // Slot 0 is always that of key 0, and nobody else's.
  bool take_slot(Bits key) noexcept {
    Bits& held = keys_[slot_.of(key)];
    if (slot_.of(key) == 0 || held != 0) return false;
    held = key;
    return true;
  }

  // All keys get new slots, by another factor, until each has one of its own. The last key has not
  // been counted yet.
  bool deal_out_anew() noexcept {
    std::array<Count, kMost> counts;
    for (std::size_t i = 0; i + 1 < known_; ++i) counts[i] = leave_slot(list_[i]);
    counts[known_ - 1] = 0;
    while (tries_++ < kTries) {
      slot_.factor *= kNextFactor;
      std::size_t dealt = 0;
      while (dealt < known_ && take_slot(list_[dealt])) ++dealt;
      if (dealt == known_) {
        for (std::size_t i = 0; i < known_; ++i) counts_[slot_.of(list_[i])] = counts[i];
        return true;
      }
      while (dealt > 0) leave_slot(list_[--dealt]);
    }
    return false;
  }

  // Returns how often the key has been counted.
  Count leave_slot(Bits key) noexcept {
    const std::size_t slot = slot_.of(key);
    const std::size_t count = count_of(slot);
    keys_[slot] = 0;
    for (std::size_t turn = 0; turn < kTurns; ++turn) counts_[turn * kSlots + slot] = 0;
    return static_cast<Count>(count);
  }

  HashSlot slot_{kSlotBits};
  std::unique_ptr<Bits[]> keys_;     // 0 where nobody has the slot
  std::unique_ptr<Count[]> counts_;  // kTurns rows
  std::array<Bits, kMost> list_;     // all that have a slot but 0
  std::size_t known_ = 0;
  std::size_t most_ = kFirst;
  int tries_ = 0;
};

/// Whether there seem to be few different keys in records[0, size): a look at the first of them.
/// Throws std::bad_alloc.
template <class Records>
bool seem_few_different(const Records& records, std::size_t size) {
  constexpr std::size_t kLookedAt = 1 << 12;
  return FewKeys<typename Records::Bits>().count(records, 0, std::min(size, kLookedAt));
}

/// Sorts home[0, size), which are keys alone, if there are few different ones; otherwise returns
/// false, and nothing has been touched. Throws std::bad_alloc.
template <class Records>
bool sort_few_different(Records home, std::size_t size) {
  using Bits = typename Records::Bits;
  FewKeys<Bits> few;
  if (!few.count(home, 0, size)) return false;
  std::vector<std::pair<Bits, std::size_t>> counted;
  few.for_each([&](Bits key, std::size_t count) { counted.emplace_back(key, count); });
  std::ranges::sort(counted);
  std::size_t place = 0;
  for (const auto& [key, count] : counted) {
    home.fill(place, place + count, key);
    place += count;
  }
  return true;
}

}  // namespace postroom::sorting
