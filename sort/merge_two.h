// Merging two rows that are in order, from both ends at once.
//
// The next record of one end waits for the comparison before it; that of the other end does not, so
// both are made by turns. Which row a record comes from is no branch: nobody could foresee it.
// Where a block of one row belongs before all that is left of the other, it is copied as a whole.
//
// Stable: among equal keys, those of the first row come first. Cost: FIGURES. No memory. Errors:
// what a key throws; the rows are as they were.
#pragma once

#include <algorithm>
#include <cstddef>

#include "sort/team.h"

namespace postroom::sorting {

/// Merges the rows from[a] and from[b] to to[place …], which does not overlap them.
template <class Records>
void merge_two(Records from, Range a, Range b, Records to, std::size_t place) {
  constexpr std::size_t kBlock = 16;
  const auto size = [](const Range& row) { return row.end - row.begin; };
  std::size_t end = place + size(a) + size(b);
  const auto copy = [&](Range& row, std::size_t count) {
    to.from(place).take_all(from.from(row.begin), 0, count);
    row.begin += count;
    place += count;
  };
  // The one with the number i or the one with the number j.
  const auto chosen = [](std::size_t i, std::size_t j, bool second) {
    return i ^ ((i ^ j) & (std::size_t{0} - second));
  };
  const auto take_first = [&] {
    const bool second = from.key(b.begin) < from.key(a.begin);
    to.take(place++, from, chosen(a.begin, b.begin, second));
    a.begin += !second;
    b.begin += second;
  };
  const auto take_last = [&] {
    const bool first = from.key(b.end - 1) < from.key(a.end - 1);
    to.take(--end, from, chosen(b.end - 1, a.end - 1, first));
    a.end -= first;
    b.end -= !first;
  };
  while (size(a) > 0 && size(b) > 0) {
    if (size(a) >= kBlock && !(from.key(b.begin) < from.key(a.begin + kBlock - 1))) {
      copy(a, kBlock);
    } else if (size(b) >= kBlock && from.key(b.begin + kBlock - 1) < from.key(a.begin)) {
      copy(b, kBlock);
    } else if (std::min(size(a), size(b)) >= 2 * kBlock) {
      for (std::size_t i = 0; i < kBlock; ++i) {
        take_first();
        take_last();
      }
    } else {
      for (std::size_t i = 0; i < kBlock && size(a) > 0 && size(b) > 0; ++i) take_first();
    }
  }
  copy(a, size(a));
  copy(b, size(b));
}

}  // namespace postroom::sorting
