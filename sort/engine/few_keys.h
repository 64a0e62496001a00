// Few different keys are counted, each in a slot of its own (sort/engine/few_slots.h).
//
// Cost: 0.6 ns a key (AMD Zen 5), 1 µs to give up. Memory: 2^11 slots of a key and 8 bytes. No more
// keys than a Count holds are counted.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "sort/engine/few_slots.h"

namespace postroom::sorting {

template <class Bits>
class FewKeys {
 public:
  using Count = std::uint32_t;
  /// So many different keys at most, beside 0.
  static constexpr std::size_t kMost = FewSlots<Bits>::kMost;

  /// Throws std::bad_alloc.
  FewKeys() : counts_(std::make_unique<Count[]>(kTurns * kSlots)) {}

  /// Counts the keys of records[begin, end); once. False when there are too many different ones:
  /// for random keys it ends there after some hundreds.
  template <class Records>
  [[nodiscard]] bool count(const Records& records, std::size_t begin, std::size_t end) noexcept {
    std::size_t i = begin;
    for (; i + kBlock <= end; i += kBlock) {
      most_ = FewSlots<Bits>::most_of(i - begin);
      if (!count_block(records, i) && !count_each(records, i, i + kBlock)) return false;
    }
    return count_each(records, i, end);
  }

  /// Calls use(key, count) for each key that was counted.
  template <class Use>
  void for_each(Use use) const {
    if (count_of(0) > 0) use(Bits{0}, count_of(0));
    for (const Bits key : slots_.keys()) use(key, count_of(slots_.of(key)));
  }

 private:
  static constexpr std::size_t kSlots = FewSlots<Bits>::kSlots;
  // Two counts a slot, by turns: one that is raised again and again would have to wait for itself.
  static constexpr std::size_t kTurns = 2;
  static constexpr std::size_t kBlock = 16;

  std::size_t count_of(std::size_t slot) const noexcept {
    std::size_t sum = 0;
    for (std::size_t turn = 0; turn < kTurns; ++turn) sum += counts_[turn * kSlots + slot];
    return sum;
  }

  // False when one of the keys has no slot; then nothing has been counted.
  template <class Records>
  bool count_block(const Records& records, std::size_t begin) noexcept {
    records.template prefetch_ahead<kBlock>(begin);
    Count* const counts = counts_.get();
    const Bits* const keys = slots_.holders();
    const HashSlot slot_of = slots_.hash();
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
      if (!slots_.has(key) && !enter(key)) return false;
      ++counts_[slots_.of(key)];
    }
    return true;
  }

  // Gives the key a slot, which it has not.
  bool enter(Bits key) noexcept {
    std::array<Count, kMost> counts{};
    const auto leave = [&](std::size_t i, std::size_t slot) {
      counts[i] = static_cast<Count>(count_of(slot));
      for (std::size_t turn = 0; turn < kTurns; ++turn) counts_[turn * kSlots + slot] = 0;
    };
    const auto take = [&](std::size_t i, std::size_t slot) { counts_[slot] = counts[i]; };
    return slots_.enter(key, most_, leave, take);
  }

  FewSlots<Bits> slots_;
  std::unique_ptr<Count[]> counts_;  // kTurns rows
  std::size_t most_ = FewSlots<Bits>::most_of(0);
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
