// Pairs of a key and a number as the parts of the engine take them, with a key that may throw.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <stdexcept>
#include <vector>

#include "sort/engine/layout.h"

namespace postroom::sorting {

struct Pair {
  std::uint32_t key;
  std::uint32_t number;
  friend bool operator==(const Pair&, const Pair&) = default;
};

struct PairKey {
  using Bits = std::uint32_t;
  static constexpr bool kWholeRecord = false;
  static constexpr std::uint32_t kNever = std::numeric_limits<std::uint32_t>::max();

  Bits operator()(const std::byte* at) const {
    Pair pair;
    std::memcpy(&pair, at, sizeof(pair));
    if (pair.key == throws_at_key || pair.number == throws_at_number) {
      throw std::runtime_error("a key");
    }
    return pair.key;
  }

  std::uint32_t throws_at_key = kNever;
  std::uint32_t throws_at_number = kNever;
};

using Pairs = Rows<sizeof(Pair), PairKey>;

template <class T>
std::byte* bytes_in(std::vector<T>& elements) {
  return std::as_writable_bytes(std::span(elements)).data();
}

inline std::vector<Pair> sorted(std::vector<Pair> pairs) {
  std::ranges::stable_sort(pairs, {}, &Pair::key);
  return pairs;
}

}  // namespace postroom::sorting
