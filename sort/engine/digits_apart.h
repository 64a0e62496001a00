// The digits of records, from five places of a part by turns, and what finds them.
//
// Neighbours often have the same digit, and the next of them would have to wait for the one before.
// Rows in order are seldom five. Digits that take long to find are found by vectors, some lines at
// once, and can be kept for the next time:
//
//   for_digits_apart(records, part, WrittenDown<ValueDigit<Bits>>{digit, memory}, NoLine(), count);
//   for_digits_apart(records, part, ReadAgain{memory}, NoLine(), place);
//
// Cost: that of finding and using the digits; by lines a copy of each key beside it. Memory: two
// bytes for each record whose digit is written down. What a key or a use throws goes through.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>

#include "numa/cacheline.h"
#include "sort/engine/part.h"
#include "sort/engine/value_digit.h"

namespace postroom::sorting {

/// For for_digits_apart(), where nothing is to be done for a line.
struct NoLine {
  void operator()(std::size_t /*first*/) const noexcept {}
};

/// Calls use(number, digit) for each record of the part, and begin_line(number) for the first of
/// some that take up a line.
template <class Records, class DigitOf, class BeginLine, class Use>
[[gnu::always_inline]] inline void for_digits_apart(const Records& records, const Part& part,
                                                    const DigitOf& digit,
                                                    const BeginLine& begin_line, const Use& use) {
  using Bits = typename Records::Bits;
  constexpr std::size_t kStreams = 5;
  constexpr std::size_t kLine = std::max<std::size_t>(kCacheLine / Records::kRecordBytes, 1);
  using Line = std::array<Bits, kLine * kStreams>;  // of each stream
  constexpr bool kByLines = requires(DigitOf held, Line keys) { held.of_all(keys); };
  DigitOf held = digit;  // which no use can change
  const std::size_t length = part.size() / kStreams;
  const std::size_t end = part.begin + length;
  const auto use_some = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      std::array<std::size_t, kStreams> digits;
      for (std::size_t j = 0; j < kStreams; ++j) digits[j] = held.of(records.key(i + j * length));
      for (std::size_t j = 0; j < kStreams; ++j) use(i + j * length, digits[j]);
    }
  };
  std::size_t i = part.begin;
  if constexpr (kByLines || !std::same_as<BeginLine, NoLine>) {
    for (; i + kLine <= end; i += kLine) {
      for (std::size_t j = 0; j < kStreams; ++j) begin_line(i + j * length);
      if constexpr (kByLines) {
        Line keys;
        for (std::size_t j = 0; j < kStreams; ++j) {
          for (std::size_t k = 0; k < kLine; ++k) {
            keys[j * kLine + k] = records.key(i + k + j * length);
          }
        }
        const std::uint16_t* const digits = held.of_all(keys);
        for (std::size_t k = 0; k < kLine; ++k) {
          for (std::size_t j = 0; j < kStreams; ++j) {
            use(i + k + j * length, digits[j * kLine + k]);
          }
        }
      } else {
        use_some(i, i + kLine);
      }
    }
  }
  use_some(i, end);
  for (i = part.begin + kStreams * length; i < part.end; ++i) use(i, held.of(records.key(i)));
}

/// Values found by vectors, where the processor has them.
template <class Bits>
class ByVectors {
 public:
  explicit ByVectors(const ValueDigit<Bits>& digit) noexcept : digit_(digit) {}

  std::size_t of(Bits key) const noexcept { return digit_.of(key); }
  template <class Keys>
  const std::uint16_t* of_all(const Keys& keys) noexcept {
    static_assert(std::tuple_size_v<Keys> <= kMost);
    digit_.of_all(keys.data(), keys.size(), found_.data());
    return found_.data();
  }

 private:
  static constexpr std::size_t kMost = 80;  // keys of 4 bytes
  ValueDigit<Bits> digit_;
  std::array<std::uint16_t, kMost> found_;
};

/// Digits that take long to find, of all records that for_digits_apart() asks for, written down.
template <class DigitOf>
struct WrittenDown {
  DigitOf digit;
  std::uint16_t* next;

  std::size_t values() const noexcept { return digit.values(); }
  template <class Bits>
  std::size_t of(Bits key) noexcept {
    return *next++ = static_cast<std::uint16_t>(digit.of(key));
  }
  template <class Keys>
  const std::uint16_t* of_all(const Keys& keys) noexcept {
    digit.of_all(keys.data(), keys.size(), next);
    return std::exchange(next, next + keys.size());
  }
};

/// The same once more.
struct ReadAgain {
  const std::uint16_t* next;

  template <class Bits>
  std::size_t of(Bits /*key*/) noexcept {
    return *next++;
  }
  template <class Keys>
  const std::uint16_t* of_all(const Keys& keys) noexcept {
    return std::exchange(next, next + keys.size());
  }
};

}  // namespace postroom::sorting
