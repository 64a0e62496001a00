// Bare keys as the parts of the engine take them.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <span>
#include <vector>

#include "sort/engine/layout.h"
#include "sort/keys.h"

namespace postroom::sorting {

template <class Key>
using Keys = Rows<sizeof(Key), WholeKeyOf<Key>>;

template <class Key>
Keys<Key> rows_of(std::vector<Key>& keys, bool descending = false) {
  return {std::as_writable_bytes(std::span(keys)).data(),
          {flip_mask<KeyBits<Key>>(is_signed_key<Key>(), descending)}};
}

/// The bits of normally distributed numbers, as keys that order as they do, with the least and the
/// largest of all, zeros and infinite ones among them.
template <class Float>
std::vector<KeyBits<Float>> normal_keys(std::size_t size, Float middle = 0) {
  std::mt19937_64 random(size);
  std::normal_distribution<Float> normal(middle, std::max(std::abs(middle) / 20, Float{1}));
  std::vector<KeyBits<Float>> keys(size);
  for (auto& key : keys) key = ordered_bits(normal(random));
  constexpr auto kInfinite = std::numeric_limits<Float>::infinity();
  const std::array strays{KeyBits<Float>{0},
                          static_cast<KeyBits<Float>>(~KeyBits<Float>{0}),
                          ordered_bits(Float{0}),
                          ordered_bits(-Float{0}),
                          ordered_bits(kInfinite),
                          ordered_bits(-kInfinite),
                          ordered_bits(std::numeric_limits<Float>::denorm_min())};
  for (std::size_t i = 0; i < strays.size(); ++i) keys[(i + 1) * size / 8] = strays[i];
  return keys;
}

}  // namespace postroom::sorting
