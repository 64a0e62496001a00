// The generators behind datasets.h: each is a small object whose call with an index gives the key.
//
// A generator is cheap to copy and may be called with any index < n in any order. All results are
// whole numbers of the number of bits asked for, except Uniform's.
//
// NasKeys steps the recurrence when it is called with one index after another, and jumps ahead by
// modular powers (x_k = 5^(13k)·x_0 mod 2^46) when not.
#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "numa/rounding.h"

namespace postroom::datasets {

/// How many bits of a whole number ≥ 0 a T holds exactly; 64 for types that only we convert to.
template <class T>
inline constexpr int kKeyBits = 64;
template <class T>
requires std::is_arithmetic_v<T>
inline constexpr int kKeyBits<T> =
    std::numeric_limits<T>::digits < 64 ? std::numeric_limits<T>::digits : 64;

/// A bijection of 64 bits that leaves no pattern: two rounds of multiply and fold.
constexpr std::uint64_t scramble(std::uint64_t x) noexcept {
  x = (x ^ x >> 32) * 0xd6e8feb86659fd93;
  x = (x ^ x >> 32) * 0xd6e8feb86659fd93;
  return x ^ x >> 32;
}

/// An endless table of random numbers, read at any place.
class Seed {
 public:
  explicit constexpr Seed(std::uint64_t seed) noexcept : start_(scramble(seed + kStep)) {}
  constexpr std::uint64_t bits(std::uint64_t index) const noexcept {
    return scramble(start_ + (index + 1) * kStep);
  }

 private:
  static constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15;  // 2^64 / golden ratio, odd
  std::uint64_t start_;
};

struct RandomBits {
  Seed seed;
  std::uint64_t mask;
  std::uint64_t operator()(std::uint64_t index) const noexcept { return seed.bits(index) & mask; }
};

struct AndOfFive {
  RandomBits draw;
  std::uint64_t operator()(std::uint64_t index) const noexcept {
    const std::uint64_t k = 5 * index;
    return draw(k) & draw(k + 1) & draw(k + 2) & draw(k + 3) & draw(k + 4);
  }
};

/// 0 … n-1 dealt in turn to p blocks, whose sizes are those of the block distribution.
class Dealt {
 public:
  Dealt(std::uint64_t elements, int blocks, std::uint64_t mask) noexcept
      : blocks_(static_cast<std::uint64_t>(blocks)),
        small_(elements / blocks_),
        in_larger_(elements % blocks_ * (small_ + 1)),
        mask_(mask) {}
  std::uint64_t operator()(std::uint64_t index) const noexcept {
    if (index < in_larger_) return key(index / (small_ + 1), index % (small_ + 1));
    const std::uint64_t later = index - in_larger_;
    return key(in_larger_ / (small_ + 1) + later / small_, later % small_);
  }

 private:
  std::uint64_t key(std::uint64_t block, std::uint64_t position) const noexcept {
    return (position * blocks_ + block) & mask_;
  }
  std::uint64_t blocks_;
  std::uint64_t small_;      // the size of the smaller blocks
  std::uint64_t in_larger_;  // elements in blocks of one more
  std::uint64_t mask_;
};

/// The numbers x_k = 5^13·x_(k-1) mod 2^46 from x_0 = 314159265.
class NasSequence {
 public:
  static constexpr std::uint64_t kFactor = 1'220'703'125;  // 5^13
  static constexpr std::uint64_t kStart = 314'159'265;

  /// Goes to x_k.
  constexpr void seek(std::uint64_t k) noexcept { x_ = (power(k) * kStart) & low_bits(46); }
  /// Steps to the next number and returns it.
  constexpr std::uint64_t next() noexcept { return x_ = (x_ * kFactor) & low_bits(46); }

 private:
  // Modulo 2^64, which 2^46 divides.
  static constexpr std::uint64_t power(std::uint64_t exponent) noexcept {
    std::uint64_t result = 1;
    for (std::uint64_t square = kFactor; exponent != 0; exponent /= 2, square *= square) {
      if (exponent % 2 == 1) result *= square;
    }
    return result;
  }
  std::uint64_t x_ = kStart;
};

/// ⌊2^bits · mean of four numbers / 2^46⌋, the four being x_(4i+1) … x_(4i+4).
class NasKeys {
 public:
  explicit NasKeys(int bits) noexcept : shift_(46 + 2 - bits) {}
  std::uint64_t operator()(std::uint64_t index) noexcept {
    if (index != next_index_) sequence_.seek(4 * index);
    next_index_ = index + 1;
    std::uint64_t sum = 0;
    for (int draw = 0; draw < 4; ++draw) sum += sequence_.next();
    return sum >> shift_;
  }

 private:
  NasSequence sequence_;
  std::uint64_t next_index_ = 0;
  int shift_;
};

template <class T>
struct Uniform {
  Seed seed;
  auto operator()(std::uint64_t index) const noexcept {
    if constexpr (std::floating_point<T>) {
      return static_cast<std::int64_t>(seed.bits(index)) >> (63 - kKeyBits<T>);
    } else {
      return seed.bits(index);
    }
  }
};

/// 0 … n-1 spread over all keys; several of the same where there are more elements than keys.
class Ascending {
 public:
  Ascending(std::uint64_t elements, int bits) noexcept {
    const std::uint64_t largest = low_bits(bits);
    if (elements == 0) return;
    if (elements - 1 <= largest) {
      step_ = elements == 1 ? 0 : largest / (elements - 1);
    } else {
      alike_ = ceil_divide(elements, largest + 1);
    }
  }
  std::uint64_t operator()(std::uint64_t index) const noexcept {
    return alike_ == 1 ? index * step_ : index / alike_;
  }

 private:
  std::uint64_t step_ = 1;
  std::uint64_t alike_ = 1;
};

struct Descending {
  Ascending ascending;
  std::uint64_t elements;
  std::uint64_t operator()(std::uint64_t index) const noexcept {
    return ascending(elements - 1 - index);
  }
};

struct Equal {
  std::uint64_t value;
  std::uint64_t operator()(std::uint64_t) const noexcept { return value; }
};

/// The k-th value as often as log((k+1)/k), about 1/k; which value that is, a hash says.
struct Zipf {
  static constexpr int kLogValues = 20;
  Seed seed;
  std::uint64_t mask;
  std::uint64_t operator()(std::uint64_t index) const noexcept {
    const double uniform = static_cast<double>(seed.bits(index) >> 11) * 0x1p-53;
    return seed.bits(~static_cast<std::uint64_t>(std::exp2(kLogValues * uniform))) & mask;
  }
};

struct NearlySorted {
  static constexpr std::uint64_t kOneIn = 64;
  Seed seed;
  Ascending ascending;
  int bits;
  std::uint64_t operator()(std::uint64_t index) const noexcept {
    const std::uint64_t random = seed.bits(index);
    if (random % kOneIn != 0) return ascending(index);
    return scramble(random) & low_bits(bits);
  }
};

struct FewDistinct {
  static constexpr std::uint64_t kValues = 64;
  Seed seed;
  std::uint64_t mask;
  std::uint64_t operator()(std::uint64_t index) const noexcept {
    return seed.bits(~(seed.bits(index) % kValues)) & mask;
  }
};

class HighBitsEqual {
 public:
  HighBitsEqual(Seed seed, int bits) noexcept
      : seed_(seed),
        high_(seed.bits(~std::uint64_t{0}) & low_bits(bits) & ~low_bits(bits / 2)),
        low_mask_(low_bits(bits / 2)) {}
  std::uint64_t operator()(std::uint64_t index) const noexcept {
    return high_ | (seed_.bits(index) & low_mask_);
  }

 private:
  Seed seed_;
  std::uint64_t high_;
  std::uint64_t low_mask_;
};

struct OrganPipe {
  Ascending half;
  std::uint64_t elements;
  std::uint64_t operator()(std::uint64_t index) const noexcept {
    const std::uint64_t from_end = elements - 1 - index;
    return half(index < from_end ? index : from_end);
  }
};

class Sawtooth {
 public:
  static constexpr std::uint64_t kTeeth = 64;
  Sawtooth(std::uint64_t elements, int bits) noexcept
      : length_(ceil_divide(elements, kTeeth)), tooth_(length_, bits) {}
  std::uint64_t operator()(std::uint64_t index) const noexcept { return tooth_(index % length_); }

 private:
  std::uint64_t length_;
  Ascending tooth_;
};

struct Appended {
  static constexpr std::uint64_t kOneIn = 10;
  Seed seed;
  Ascending ascending;
  std::uint64_t elements;
  int bits;
  std::uint64_t operator()(std::uint64_t index) const noexcept {
    if (index < elements - elements / kOneIn) return ascending(index);
    return seed.bits(index) & low_bits(bits);
  }
};

}  // namespace postroom::datasets
