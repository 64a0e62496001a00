// Some keys of a part, in order: their median, and whether digits would tell the keys apart.
//
// For keys that a network sorts. Cost: 32 of them read and a network, 20 ns (AMD Zen 5). Errors:
// what a key throws goes through.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>

#include "sort/engine/digit.h"
#include "sort/engine/part.h"
#include "sort/engine/value_digit.h"
#include "sort/vectors/network_sort.h"
#include "sort/vectors/pivot.h"

namespace postroom::sorting {

template <class Bits>
class MedianSample {
 public:
  /// How many keys are looked at.
  static constexpr std::size_t kKeys = 32;

  /// Of a part of as many keys at least, from anywhere within equal pieces of it: the first ones of
  /// each would be alike where the part was made of rows in order. `varying` are bits in which keys
  /// of the part are known to differ, these perhaps not. Precondition: has_networks().
  template <class Records>
  MedianSample(const Records& records, const Part& part, std::uint64_t varying = 0) {
    const std::size_t step = part.size() / kKeys;
    for (std::uint32_t i = 0; i < kKeys; ++i) {
      keys_[i] = records.key(part.begin + anywhere_in_piece(i, step));
    }
    const auto bytes = std::as_writable_bytes(std::span(keys_)).data();
    sort_by_network(bytes, bytes, kKeys, kKeys, Bits{0});
    width_ = width_of(varying | std::uint64_t{keys_.front() ^ keys_.back()});
  }

  Bits median() const noexcept { return keys_[kKeys / 2]; }
  /// What to move all keys to both sides of: the median, where others seem to be equal to it. Else
  /// that number close to it, be it a key or not, which has most of its lowest bits 0, with equals
  /// above; a key on either side has been seen. So both sides are whole digits of what uniform keys
  /// may be, and a later digit leaves no bucket empty that has another one's keys.
  Pivot<Bits> pivot() const noexcept {
    constexpr std::size_t kClose = 3;
    if (keys_[kKeys / 2 - 1] == median() || keys_[kKeys / 2 + 1] == median()) return {median()};
    const Bits least = keys_[kKeys / 2 - kClose];
    const Bits most = keys_[kKeys / 2 + kClose];
    const auto low = low_bits(width_of(static_cast<Bits>(least ^ most)) - 1);
    return {static_cast<Bits>(most & ~static_cast<Bits>(low)), Equals::kAbove};
  }

  /// Whether half of the keys seem to be one and the same.
  bool is_mostly_one() const noexcept { return like_median(0) >= kKeys / 2; }

  /// Whether an eighth of the keys seem to be the median.
  bool has_many_like_median() const noexcept { return like_median(0) >= kKeys / 8; }
  /// Whether no key seems to be below the median.
  bool begins_with_median() const noexcept { return keys_.front() == median(); }

  /// Whether a quarter of the keys seem to have the key of another one.
  bool has_many_alike() const noexcept { return alike(0) >= kKeys / 4; }
  /// The same of the upper halves of their bits.
  bool has_many_half_alike() const noexcept {
    return alike(std::numeric_limits<Bits>::digits / 2) >= kKeys / 4;
  }

  /// Whether a third of the keys seem to be the same in the digit that differs first.
  bool crowds_digit() const noexcept {
    return like_median(std::max(width_ - kDigitBits, 0)) >= kKeys / 3;
  }

  /// Whether the values of the keys, read as floating-point numbers, seem to tell far more of them
  /// apart than a digit does (sort/engine/value_digit.h).
  bool favors_values() const noexcept {
    const std::size_t by_digit = pairs_alike_by_digit();
    if (2 * by_digit <= 3 * kFairPairs || has_many_alike()) return false;
    const std::size_t by_value = pairs_alike_by_value();
    return by_value <= 3 * kFairPairs && 3 * by_value < 2 * by_digit;
  }
  /// Whether each digit seems to have as many keys as any other.
  bool has_even_digits() const noexcept { return pairs_alike_by_digit() <= kEvenPairs; }
  /// Whether values seem to be spread evenly, rather than most of them around one.
  bool spreads_values() const noexcept { return 2 * pairs_alike_by_value() <= 3 * kFairPairs; }

  /// Whether digits would tell little: many keys seem to be alike, or to crowd one.
  bool defies_digits() const noexcept { return has_many_alike() || crowds_digit(); }

 private:
  static constexpr int kDigitBits = 4;
  // So many have one digit where all digits occur as often.
  static constexpr std::size_t kFairPairs = kKeys * (kKeys - 1) / 2 >> kDigitBits;
  // Of uniform keys nine samples of ten have no more.
  static constexpr std::size_t kEvenPairs = kFairPairs * 5 / 4;

  // How many are like the median but for so many of the lowest bits. Precondition: lowest < the
  // bits of a key.
  std::size_t like_median(int lowest) const noexcept {
    const auto like = [&](Bits key) { return (key ^ median()) >> lowest == 0; };
    return static_cast<std::size_t>(std::ranges::count_if(keys_, like));
  }

  // How many are like another one but for so many of the lowest bits.
  std::size_t alike(int lowest) const noexcept {
    std::size_t count = 0;
    for (std::size_t i = 1; i < kKeys; ++i) count += (keys_[i] ^ keys_[i - 1]) >> lowest == 0;
    return count;
  }

  // How many pairs have one bucket.
  template <class DigitOf>
  std::size_t pairs_alike(const DigitOf& digit) const noexcept {
    std::size_t pairs = 0;
    std::size_t before = 0;
    std::size_t last = digit.of(keys_[0]);
    for (std::size_t i = 1; i < kKeys; ++i) {
      const std::size_t next = digit.of(keys_[i]);
      before = next == std::exchange(last, next) ? before + 1 : 0;
      pairs += before;
    }
    return pairs;
  }

  std::size_t pairs_alike_by_digit() const noexcept {
    return pairs_alike(Digit{std::max(width_ - kDigitBits, 0), kDigitBits});
  }
  std::size_t pairs_alike_by_value() const noexcept {
    return pairs_alike(ValueDigit<Bits>(keys_.front(), keys_.back(), kDigitBits));
  }

  std::array<Bits, kKeys> keys_;
  int width_;  // of the bits that differ
};

}  // namespace postroom::sorting
