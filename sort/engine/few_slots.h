// Few different keys: each has a slot of its own.
//
// A multiplication says which slot a key has. A key that has not been seen before takes its slot.
// Where two of them meet, another factor is tried until all have slots of their own; with so few of
// them that does not take long. Then it is enough to ask once for several keys whether all of them
// hold their slots.
//
// Source: perfect hashing by trial, as in Fredman, Komlós and Szemerédi, "Storing a Sparse Table
// with O(1) Worst Case Access Time" (1984).
//
// Cost: a multiplication and a load a key. Memory: 2^11 keys.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "sort/engine/heavy_table.h"

namespace postroom::sorting {

template <class Bits>
class FewSlots {
 public:
  /// So many different keys at most, beside 0.
  static constexpr std::size_t kMost = 128;
  static constexpr int kSlotBits = 11;
  static constexpr std::size_t kSlots = std::size_t{1} << kSlotBits;

  /// How many different keys are still few when so many have been looked at: of the first ones some
  /// may be new, and later one of eight.
  static constexpr std::size_t most_of(std::size_t seen) noexcept {
    return std::min(kMost, std::size_t{64} + seen / 8);
  }

  /// Only 0 has a slot, the first. Throws std::bad_alloc.
  FewSlots() : keys_(std::make_unique<Bits[]>(kSlots)) {}

  /// The slot that a key has, if it has one, and whose that slot is. Copies, for a loop that
  /// writes.
  HashSlot hash() const noexcept { return slot_; }
  const Bits* holders() const noexcept { return keys_.get(); }

  std::size_t of(Bits key) const noexcept { return slot_.of(key); }
  bool has(Bits key) const noexcept { return keys_[of(key)] == key; }
  /// Those that have slots, as they came; without 0.
  std::span<const Bits> keys() const noexcept { return {list_.data(), known_}; }

  /// Gives the key a slot, which it has not: false where `most` have one already, or none was
  /// found. Where others have to move, leave(i, slot) is called before for each of keys() but the
  /// new one, and take(i, slot) afterwards for all.
  template <class Leave, class Take>
  [[nodiscard]] bool enter(Bits key, std::size_t most, Leave leave, Take take) noexcept {
    if (known_ >= most) return false;
    list_[known_++] = key;
    if (take_slot(key)) return true;
    for (std::size_t i = 0; i + 1 < known_; ++i) {
      leave(i, of(list_[i]));
      keys_[of(list_[i])] = 0;
    }
    if (!deal_out_anew()) return false;
    for (std::size_t i = 0; i < known_; ++i) take(i, of(list_[i]));
    return true;
  }

 private:
  static constexpr int kTries = 32;
  static constexpr std::uint64_t kNextFactor = 0xd6e8'feb8'6659'fd93;  // any odd number

  // Slot 0 is always that of key 0, and nobody else's.
  bool take_slot(Bits key) noexcept {
    Bits& held = keys_[of(key)];
    if (of(key) == 0 || held != 0) return false;
    held = key;
    return true;
  }

  // By another factor, until each has a slot of its own. No one has one before.
  bool deal_out_anew() noexcept {
    while (tries_++ < kTries) {
      slot_.factor *= kNextFactor;
      std::size_t dealt = 0;
      while (dealt < known_ && take_slot(list_[dealt])) ++dealt;
      if (dealt == known_) return true;
      while (dealt > 0) keys_[of(list_[--dealt])] = 0;
    }
    return false;
  }

  HashSlot slot_{kSlotBits};
  std::unique_ptr<Bits[]> keys_;  // 0 where nobody has the slot
  std::array<Bits, kMost> list_{};
  std::size_t known_ = 0;
  int tries_ = 0;
};

}  // namespace postroom::sorting
