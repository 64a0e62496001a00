// Whether digits would leave many keys together: a guess from a few of them, made because what
// follows costs as much again where it was in vain.
//
// Cost: up to 64 keys read and sorted. Errors: what a key throws goes through.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "sort/engine/digit.h"
#include "sort/engine/part.h"

namespace postroom::sorting {

template <class Bits>
class DigitSample {
 public:
  template <class Records>
  DigitSample(const Records& records, const Part& part)
      : size_(part.size()), count_(std::clamp<std::size_t>(size_ / kRecordsForOne, 1, kMost)) {
    const std::size_t step = size_ / count_;
    for (std::size_t i = 0; i < count_; ++i) keys_[i] = records.key(part.begin + i * step);
    std::sort(keys_.begin(), keys_.begin() + count_);
  }

  /// Whether many keys seem to be alike in all digits of the plan, or so many in the highest one
  /// that the others, were they spread evenly, would leave them together: as floating-point numbers
  /// are by sign and exponent. Precondition: a digit.
  bool tells_little(const DigitPlan& plan) const noexcept {
    const auto looked_at = static_cast<Bits>(~static_cast<Bits>(plan.left));
    std::size_t alike = 0;
    for (std::size_t i = 1; i < count_; ++i) {
      const auto differ = static_cast<Bits>(keys_[i] ^ keys_[i - 1]);
      alike += differ != 0 && (differ & looked_at) == 0;
    }
    return alike * kRecordsForOne > count_ || leaves_together(plan);
  }

  /// Whether the highest digit of so many bits, or the next one of those that are alike in it,
  /// tells half of them apart.
  bool splits_well(int bits) const noexcept {
    const std::span alike = longest_run(keys(), bits);
    const std::span still_alike = longest_run(alike, bits);
    return 2 * still_alike.size() <= count_;
  }

 private:
  static constexpr std::size_t kMost = 64;
  static constexpr std::size_t kRecordsForOne = 16;

  std::span<const Bits> keys() const noexcept { return std::span(keys_).first(count_); }

  // Whether each key would have half a one beside it, which is a little to insert.
  bool leaves_together(const DigitPlan& plan) const noexcept {
    const Digit highest = plan.digits[static_cast<std::size_t>(plan.count) - 1];
    std::size_t together = 0;  // pairs of different keys
    std::size_t before = 0;
    std::size_t equal = 0;
    for (std::size_t i = 1; i < count_; ++i) {
      const auto differ = static_cast<Bits>(keys_[i] ^ keys_[i - 1]);
      before = highest.of(differ) == 0 ? before + 1 : 0;
      equal = differ == 0 ? equal + 1 : 0;
      together += before - equal;
    }
    int others = 0;
    for (int d = 0; d + 1 < plan.count; ++d) {
      others += plan.digits[static_cast<std::size_t>(d)].bits;
    }
    if (together == 0) return false;
    const double pairs = static_cast<double>(count_) * static_cast<double>(count_ - 1) / 2;
    const double beside = static_cast<double>(size_) * static_cast<double>(together) / pairs;
    return beside > 0.5 * static_cast<double>(std::uint64_t{1} << others);
  }

  // Those of keys in order that are alike in the highest digit that varies among them.
  static std::span<const Bits> longest_run(std::span<const Bits> keys, int bits) noexcept {
    const auto varying = static_cast<Bits>(keys.front() ^ keys.back());
    if (varying == 0) return keys;
    const Digit digit = highest_digit(varying, bits);
    std::span<const Bits> longest;
    for (std::size_t begin = 0, end = 0; begin < keys.size(); begin = end) {
      while (end < keys.size() && digit.of(keys[end]) == digit.of(keys[begin])) ++end;
      if (end - begin > longest.size()) longest = keys.subspan(begin, end - begin);
    }
    return longest;
  }

  std::size_t size_;
  std::size_t count_;
  std::array<Bits, kMost> keys_;
};

}  // namespace postroom::sorting
