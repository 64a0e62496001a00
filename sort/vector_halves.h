// Two processors and vectors: each sorts a half of the keys by vectors (sort/vector_sort.h), then
// they merge the halves from both ends at once, each its half of the output.
//
// Cost: sorting half of the keys, then 1 ns a key for the merge and the way home (AMD Zen 3, u32,
// both at work), less where many are alike: sixteen keys go at once where they come from one half.
// Three barriers. No memory. Nothing here throws.
#pragma once

#include <cstddef>

#include "sort/steps.h"
#include "sort/team.h"

namespace postroom::sorting {

/// Writes to[out] the smallest keys (from its begin up), or else the largest ones (from its end
/// down), of the rows from[a] and from[b], which are in order. There are as many of them at least.
template <bool kSmallest, class Records>
void merge_end(const Records& from, Range a, Range b, Records to, Range out) noexcept {
  constexpr std::size_t kBlock = 16;
  const auto size = [](const Range& row) { return row.end - row.begin; };
  const auto at = [](const Range& row, std::size_t i) {
    return kSmallest ? row.begin + i : row.end - 1 - i;
  };
  const auto drop = [](Range& row, std::size_t count) {
    (kSmallest ? row.begin += count : row.end -= count);
  };
  const auto goes_first = [&](std::size_t i, std::size_t j) {
    return kSmallest ? from.key(i) <= from.key(j) : from.key(i) >= from.key(j);
  };
  const auto take = [&](bool from_a) {
    // Not a branch: nobody could foresee it.
    const std::size_t mask = std::size_t{0} - from_a;
    to.take(at(out, 0), from, at(b, 0) ^ ((at(a, 0) ^ at(b, 0)) & mask));
    drop(a, from_a);
    drop(b, !from_a);
    drop(out, 1);
  };
  const auto take_block = [&](Range& row) {
    for (std::size_t i = 0; i < kBlock; ++i) to.take(at(out, i), from, at(row, i));
    drop(row, kBlock);
    drop(out, kBlock);
  };
  while (size(a) >= kBlock && size(b) >= kBlock && size(out) >= kBlock) {
    if (goes_first(at(a, kBlock - 1), at(b, 0))) {
      take_block(a);
    } else if (goes_first(at(b, kBlock - 1), at(a, 0))) {
      take_block(b);
    } else {
      for (std::size_t i = 0; i < kBlock; ++i) take(goes_first(at(a, 0), at(b, 0)));
    }
  }
  while (size(out) > 0) {
    take(size(b) == 0 || (size(a) > 0 && goes_first(at(a, 0), at(b, 0))));
  }
}

/// Sorts home[0, size); `away` has room for as many. Called by both of two processors.
template <class Records>
void sort_by_vector_halves(Steps& steps, Records home, Records away, std::size_t size) noexcept {
  const Range low = share_of({0, size}, 0, 2);
  const Range high = share_of({0, size}, 1, 2);
  const Range own = steps.id() == 0 ? low : high;
  (void)steps.together([&] { home.sort_by_vectors(own.begin, own.end); });
  (void)steps.together([&] {
    if (steps.id() == 0) {
      merge_end<true>(home, low, high, away, own);
    } else {
      merge_end<false>(home, low, high, away, own);
    }
  });
  home.take_all(away, own.begin, own.end);
}

}  // namespace postroom::sorting
