// Insertion: the last step for records that are nearly in order, and the only one for very few.
//
// Cost: one read of records in order, one write where they come from elsewhere; a misplaced record
// costs about as much as ten others and the places that it passes over. Stable.
#pragma once

#include <cstddef>

namespace postroom::sorting {

/// Where a record with `key` belongs behind home[first, end), which are in order.
template <class Records>
std::size_t place_among(const Records& home, std::size_t first, std::size_t end,
                        typename Records::Bits key) {
  std::size_t place = end;
  while (place > first && key < home.key(place - 1)) --place;
  return place;
}

/// Takes from[i, end) home, eight at a time, as long as the keys rise, the first not below `last`.
/// `i` becomes the first that has not been taken, `last` the key before it.
template <class Records>
void take_risen(const Records& from, Records& home, bool in_place, std::size_t& i, std::size_t end,
                typename Records::Bits& last) {
  // With a branch for each record, one takes 1 ns more (Zen 3).
  constexpr std::size_t kBlock = 8;
  for (; i + kBlock <= end; i += kBlock) {
    auto before = last;
    unsigned any = 0;
#pragma GCC unroll 8
    for (std::size_t j = 0; j < kBlock; ++j) {
      const auto key = from.key(i + j);
      any |= static_cast<unsigned>(key < before);
      before = key;
    }
    if (any != 0) return;
    if (!in_place) home.template take_some<kBlock>(i, from);
    last = before;
  }
}

/// Takes from[begin, end) home one by one, each to its place among those before it. `in_place` says
/// that `from` is home. When more than `budget` work was done, takes the rest as it is and returns
/// false. When a key throws, `begin` is where the records begin that have yet to be taken home.
template <class Records>
bool insert_home(Records from, Records home, bool in_place, std::size_t& begin, std::size_t end,
                 std::size_t budget) {
  constexpr std::size_t kWorkOfOne = 10;
  constexpr std::size_t kManyRecords = 64;  // fewer are seldom nearly in order
  constexpr std::size_t kOneByOne = 8;      // after one that was not
  const std::size_t first = begin;
  std::size_t look_again = end - first < kManyRecords ? end : first;
  typename Records::Bits last = 0;
  std::size_t i = first;
  std::size_t work = 0;
  try {
    for (; i < end; ++i) {
      if (i == look_again) {
        take_risen(from, home, in_place, i, end, last);
        look_again = i + kOneByOne;
        if (i == end) break;
      }
      const auto key = from.key(i);
      if (key >= last) {
        last = key;
        if (!in_place) home.take(i, from, i);
        continue;
      }
      if (work > budget) break;
      const std::size_t place = place_among(home, first, i, key);
      home.insert(place, i, from, i);
      work += kWorkOfOne + (i - place);
    }
  } catch (...) {
    begin = i;
    throw;
  }
  if (!in_place) home.take_all(from, i, end);
  return i == end;
}

}  // namespace postroom::sorting
