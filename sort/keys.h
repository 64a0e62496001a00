// Which types can be keys, and the order that they are sorted in.
//
// A key is an integer of 8 to 64 bits (signed or not, bool and character types too), an
// enumeration, a float or double, or one of these as a std::chrono duration or time_point. Each is
// mapped to an unsigned integer of the same size whose order is the order of the keys; everything
// below the front door sees only those.
//
// Floating-point keys are sorted in the total order of IEEE 754 (section 5.10), by their bits:
// -NaN < -inf < … < -0 < +0 < … < +inf < +NaN. So every value has its place, NaNs too, and two keys
// are equal only when they have the same bits. Sorting downwards is the same order reversed.
//
//   ordered_bits(std::int8_t{-128});          // 0
//   ordered_bits(-0.0) < ordered_bits(0.0);   // true
#pragma once

#include <bit>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "numa/language.h"

namespace postroom {

namespace sorting {

/// The number that a key is: itself, or what a duration or a point in time counts.
template <class K>
struct NumberOf {
  using Type = K;
};
template <class Rep, class Period>
struct NumberOf<std::chrono::duration<Rep, Period>> {
  using Type = Rep;
};
template <class Clock, class Duration>
struct NumberOf<std::chrono::time_point<Clock, Duration>> : NumberOf<Duration> {};

template <class K>
using KeyNumber = typename NumberOf<std::remove_cv_t<K>>::Type;

template <class Number>
concept SortNumber =
    (std::integral<Number> && sizeof(Number) <= 8) || std::is_enum_v<Number> ||
    std::same_as<std::remove_cv_t<Number>, float> || std::same_as<std::remove_cv_t<Number>, double>;

}  // namespace sorting

/// A type that can be sorted by.
template <class K>
concept SortKey = sorting::SortNumber<sorting::KeyNumber<K>> &&
                  sizeof(K) == sizeof(sorting::KeyNumber<K>);

namespace sorting {

template <std::size_t kBytes>
struct UnsignedOf;
template <>
struct UnsignedOf<1> {
  using Type = std::uint8_t;
};
template <>
struct UnsignedOf<2> {
  using Type = std::uint16_t;
};
template <>
struct UnsignedOf<4> {
  using Type = std::uint32_t;
};
template <>
struct UnsignedOf<8> {
  using Type = std::uint64_t;
};

/// The unsigned integer as large as K.
template <class K>
using KeyBits = typename UnsignedOf<sizeof(K)>::Type;

template <class Bits>
inline constexpr Bits kTopBit = static_cast<Bits>(Bits{1}
                                                  << (std::numeric_limits<Bits>::digits - 1));

template <class K>
consteval bool is_signed_key() {
  using Number = KeyNumber<K>;
  if constexpr (std::is_enum_v<Number>) {
    return std::is_signed_v<std::underlying_type_t<Number>>;
  } else {
    return std::is_signed_v<Number>;  // also true for float and double
  }
}

template <class K>
inline constexpr bool kIsFloatingKey = std::is_floating_point_v<KeyNumber<K>>;

/// What is to be flipped in the bits of a key, so that they order as the keys do. Negative floats
/// need more: see fold_negative.
template <class Bits>
constexpr Bits flip_mask(bool is_signed, bool descending) {
  const Bits ascending = is_signed ? kTopBit<Bits> : Bits{0};
  return descending ? static_cast<Bits>(~ascending) : ascending;
}

/// Reverses the order among the negative floats, which as sign and magnitude order the wrong way.
/// Its own inverse.
template <class Bits>
constexpr Bits fold_negative(Bits bits) {
  constexpr int kSign = std::numeric_limits<Bits>::digits - 1;
  // All bits of a negative one but its sign, without a branch.
  const auto fold = static_cast<Bits>(static_cast<Bits>(Bits{0} - (bits >> kSign)) >> 1);
  return static_cast<Bits>(bits ^ fold);
}

/// The key of a record that is nothing but its key. `flip` is that of flip_mask.
template <class BitsType, bool kFloating>
struct WholeKey {
  using Bits = BitsType;
  /// The record can be made from its key alone.
  static constexpr bool kWholeRecord = true;
  static constexpr std::size_t kRecordBytes = sizeof(Bits);
  /// In order by key ^ flip as they are in memory.
  static constexpr bool kOnlyFlipped = !kFloating;

  Bits flip = 0;

  Bits operator()(const std::byte* record) const noexcept {
    Bits bits;
    std::memcpy(&bits, record, sizeof(bits));
    if constexpr (kFloating) bits = fold_negative(bits);
    return static_cast<Bits>(bits ^ flip);
  }

  /// The record whose key is `key`.
  Bits record_of(Bits key) const noexcept {
    const auto bits = static_cast<Bits>(key ^ flip);
    return kFloating ? fold_negative(bits) : bits;
  }
};

template <class K>
using WholeKeyOf = WholeKey<KeyBits<K>, kIsFloatingKey<K>>;

}  // namespace sorting

/// The unsigned integer that stands for `key`: a < b as keys exactly when it is so of these.
template <SortKey K>
constexpr sorting::KeyBits<K> ordered_bits(K key) noexcept {
  auto bits = std::bit_cast<sorting::KeyBits<K>>(key);
  if constexpr (sorting::kIsFloatingKey<K>) bits = sorting::fold_negative(bits);
  constexpr auto kFlip =
      sorting::flip_mask<sorting::KeyBits<K>>(sorting::is_signed_key<K>(), false);
  return static_cast<sorting::KeyBits<K>>(bits ^ kFlip);
}

}  // namespace postroom
