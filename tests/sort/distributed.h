// Sorting one list by the blocks of a machine's processors: what to sort, and over which routers.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "collectives/algorithm.h"
#include "runtime/machine.h"
#include "sort/blocks.h"
#include "sort/datasets.h"

namespace postroom {

/// A key and where it stood, so that a sort that is not stable shows.
template <class Key>
struct Indexed {
  Key key;
  std::uint32_t index;
  friend bool operator==(const Indexed&, const Indexed&) = default;
};

template <class Key>
std::vector<Indexed<Key>> indexed_keys(Distribution distribution, std::size_t n,
                                       std::uint64_t seed) {
  std::vector<Key> keys(n);
  fill(keys, distribution, seed);
  std::vector<Indexed<Key>> elements;
  for (std::uint32_t i = 0; i < n; ++i) elements.push_back({keys[i], i});
  return elements;
}

template <class Key>
std::vector<Indexed<Key>> stably_sorted(std::vector<Indexed<Key>> elements) {
  std::ranges::stable_sort(elements, {}, &Indexed<Key>::key);
  return elements;
}

/// The block of `self` in a list that is cut by `blocks`.
template <class T>
std::span<T> block_of(const Processor& self, const BlockDistribution& blocks,
                      std::vector<T>& list) {
  return std::span(list).subspan(blocks.first(self.id()), blocks.size(self.id()));
}

/// Those that do not need processors that share threads: all of route_algorithms() but turns.
inline constexpr std::array kRouters{Algorithm::two_transpose, Algorithm::one_phase,
                                     Algorithm::direct};

inline constexpr int kProcessorCounts[] = {1, 2, 3, 4, 5, 7, 8, 13, 16, 33};

}  // namespace postroom
