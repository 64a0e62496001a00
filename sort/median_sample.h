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

#include "sort/digit.h"
#include "sort/network_sort.h"
#include "sort/part.h"

namespace postroom::sorting {

template <class Bits>
class MedianSample {
 public:
  /// How many keys are looked at.
  static constexpr std::size_t kKeys = 32;

  /// Of a part of as many keys at least, from anywhere within equal pieces of it: the first ones of
  /// each would be alike where the part was made of rows in order. Precondition: has_networks().
  template <class Records>
  MedianSample(const Records& records, const Part& part) {
    const std::size_t step = part.size() / kKeys;
    for (std::uint32_t i = 0; i < kKeys; ++i) {
      keys_[i] = records.key(part.begin + anywhere_in_piece(i, step));
    }
    const auto bytes = std::as_writable_bytes(std::span(keys_)).data();
    sort_by_network(bytes, bytes, kKeys, kKeys, Bits{0});
  }

  Bits median() const noexcept { return keys_[kKeys / 2]; }

  /// Whether half of the keys seem to be one and the same.
  bool is_mostly_one() const noexcept { return like_median(0) >= kKeys / 2; }

  /// Whether a quarter of the keys seem to have the key of another one.
  bool has_many_alike() const noexcept { return alike(0) >= kKeys / 4; }
  /// The same of the upper halves of their bits.
  bool has_many_half_alike() const noexcept {
    return alike(std::numeric_limits<Bits>::digits / 2) >= kKeys / 4;
  }

  /// Whether a third of the keys seem to be the same in the digit that differs first.
  bool crowds_digit() const noexcept {
    constexpr int kDigitBits = 4;
    const int width = width_of(static_cast<Bits>(keys_.front() ^ keys_.back()));
    return like_median(std::max(width - kDigitBits, 0)) >= kKeys / 3;
  }

  /// Whether digits would tell little: many keys seem to be alike, or to crowd one.
  bool defies_digits() const noexcept { return has_many_alike() || crowds_digit(); }

 private:
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

  std::array<Bits, kKeys> keys_;
};

}  // namespace postroom::sorting
