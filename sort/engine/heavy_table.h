// Keys that occur often, each in a slot of its own, where it is counted.
//
// A hash says which slot a key may have. Keys are first offered; the slot goes to the one that is
// offered for it most, as a rule (the majority vote of Boyer and Moore, "MJRTY: A Fast Majority
// Vote Algorithm", for each slot). Nothing depends on whether the right ones were found: all others
// are kept as they are.
//
// Cost: offering about 2 ns, counting or keeping 1 to 1.5 ns a key (AMD Zen 3), whatever the keys:
// nothing in the loop is a branch. Memory: 2^bits slots of a key and 8 bytes. No more keys than a
// Count holds are offered or counted.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>

#include "sort/engine/team.h"

namespace postroom::sorting {

/// So many keys can be offered or counted.
inline constexpr std::size_t kMostHeavyCounted = std::numeric_limits<std::uint32_t>::max();

/// Which of 2^bits slots a key may have: multiplication by an odd number, 2^64 / golden ratio
/// unless it is said otherwise, of which the highest bits depend on all of the key. Key 0 has slot
/// 0.
struct HashSlot {
  int bits;
  std::uint64_t factor = 0x9e37'79b9'7f4a'7c15;

  template <class Bits>
  std::size_t of(Bits key) const noexcept {
    return static_cast<std::size_t>((std::uint64_t{key} * factor) >> (64 - bits));
  }
};

template <class Bits>
class HeavyTable {
 public:
  using Count = std::uint32_t;

  /// 2^bits slots, each for 0 until something is offered (only the first can have it). 1 <= bits
  /// < 32. Throws std::bad_alloc.
  explicit HeavyTable(int bits)
      : slot_{bits},
        keys_(std::make_unique<Bits[]>(slots())),
        counts_(std::make_unique<Count[]>(kTurns * slots())) {}

  /// Lets the key have a say in who gets its slot. Before anything is counted.
  void offer(Bits key) noexcept {
    const std::size_t slot = slot_.of(key);
    Count& votes = counts_[slot];
    if (votes == 0) keys_[slot] = key;
    votes = keys_[slot] == key ? votes + 1 : votes - 1;
  }

  /// Offers keys spread over the records of `range`, two for each slot or one in four of `size`,
  /// and ends the offers.
  template <class Records>
  void offer_some(const Records& records, Range range, std::size_t size) {
    const std::size_t wanted = std::min(2 * slots(), size / 4 + 1);
    const std::size_t step = std::max<std::size_t>((range.end - range.begin) / wanted, 1);
    for (std::size_t i = range.begin; i < range.end; i += step) offer(records.key(i));
    settle();
  }

  /// Ends the offers: nothing is counted yet.
  void settle() noexcept { std::fill_n(counts_.get(), slots(), 0); }

  /// The key that has the slot; one that belongs elsewhere where none has it.
  Bits key(std::size_t slot) const noexcept { return keys_[slot]; }
  /// Takes the slot from the key that has it.
  void clear(std::size_t slot) noexcept { keys_[slot] = slot == 0 ? 1 : 0; }

  /// A digit of a key (sort/engine/digit.h): its slot, or the number of slots where it has none. A
  /// view of the table, which a loop can hold whatever it writes.
  struct Digit {
    HashSlot hash;
    const Bits* keys;

    std::size_t of(Bits key) const noexcept {
      const std::size_t slot = hash.of(key);
      const std::size_t other = std::size_t{0} - (keys[slot] != key);  // all bits; not a branch
      return (slot & ~other) | ((std::size_t{1} << hash.bits) & other);
    }
  };
  Digit digit() const noexcept { return {slot_, keys_.get()}; }
  std::size_t values() const noexcept { return slots() + 1; }

  /// Counts the records from[begin, end) whose keys have slots, and copies all others to `to`, from
  /// `place` on, in order; `to` and `place` may be `from` and `begin`. Returns where these end.
  /// What lies behind them, up to place + end - begin, may have been overwritten.
  template <class Records>
  std::size_t count(Records from, std::size_t begin, std::size_t end, Records to,
                    std::size_t place) noexcept {
    // Copies, which no write to a record can change.
    const Bits* const keys = keys_.get();
    Count* const counts = counts_.get();
    const std::size_t turn = slots();
    const HashSlot hash = slot_;
    std::size_t i = begin;
    for (; i + kGroup <= end; i += kGroup) {
      from.template prefetch_ahead<kGroup>(i);
      std::array<Bits, kGroup> key;
      for (std::size_t j = 0; j < kGroup; ++j) key[j] = from.key(i + j);
      for (std::size_t j = 0; j < kGroup; ++j) {
        const std::size_t slot = hash.of(key[j]);
        const bool held = keys[slot] == key[j];
        counts[j % kTurns * turn + slot] += held;
        to.take(place, from, i + j);
        place += !held;
      }
    }
    for (; i < end; ++i) {
      const std::size_t slot = hash.of(from.key(i));
      const bool held = keys[slot] == from.key(i);
      counts[slot] += held;
      to.take(place, from, i);
      place += !held;
    }
    return place;
  }

  /// Calls use(key, count) for each slot where something was counted.
  template <class Use>
  void for_each(Use use) const {
    for (std::size_t slot = 0; slot < slots(); ++slot) {
      const std::size_t count = std::size_t{counts_[slot]} + counts_[slots() + slot];
      if (count > 0) use(keys_[slot], count);
    }
  }

  std::size_t slots() const noexcept { return std::size_t{1} << slot_.bits; }

 private:
  // Two counts a slot, by turns: one that is raised again and again would have to wait for itself.
  static constexpr std::size_t kTurns = 2;
  static constexpr std::size_t kGroup = 4;

  HashSlot slot_;
  std::unique_ptr<Bits[]> keys_;
  std::unique_ptr<Count[]> counts_;  // kTurns rows
};

}  // namespace postroom::sorting
