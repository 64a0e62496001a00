// Records of which one long row is in order: a sorted array to which some have been appended, in
// order or not, or before which some have been put; one that rises and then falls.
//
// The others are sorted by themselves first, if they are not in order. Then all are two rows, which
// are merged (sort/engine/few_rows.h).
//
// Cost: a look at some keys, which for most input ends at the first few; where they rise for long,
// one read of the row. By the calling thread. 10^6 pairs of u64, the last tenth in any order, on
// one core 5.5 ns each, all of them in any order 23.7 (AMD Zen 3). Errors: what a key throws goes
// through.
//
// Source: our own.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "sort/engine/config.h"
#include "sort/engine/order.h"
#include "sort/engine/team.h"

namespace postroom::sorting {

/// Of home[0, size), which is not in order, the records before or behind the long row; none where
/// there is no such row, or to sort all is as fast.
template <class Records>
Range beside_long_row(const Records& home, std::size_t size, const SortConfig& config) {
  constexpr std::size_t kMost = 2;  // one in so many, which rise or fall
  constexpr std::size_t kMostInAnyOrder = Records::kWholeKeys ? 3 : 2;
  constexpr Range kNone{0, 0};
  // Keys alone of 8 and 16 bits are soon counted.
  constexpr bool kCounted = Records::kWholeKeys && Records::kRecordBytes < sizeof(std::uint32_t);
  if (kCounted || size < config.row_records) return kNone;
  const std::size_t step = std::max<std::size_t>(size / config.sample_records, 1);
  const bool by_vectors = vectors_find_falls(home);
  const auto worth = [&](Range rest) {
    const std::size_t count = rest.end - rest.begin;
    const Order order = sampled_order(Records(home).from(rest.begin), count, config.sample_records);
    return count <= size / (order.none() ? kMostInAnyOrder : kMost);
  };

  std::size_t last = 0;  // from the begin to here some keys rise
  while (last + step < size && home.key(last) <= home.key(last + step)) last += step;
  if (last > 0 && size - last <= size / kMost + step) {
    const Range rest{next_fall(home, 1, size, by_vectors), size};
    return worth(rest) ? rest : kNone;
  }
  std::size_t first = size - 1;  // from here to the end
  while (first >= step && home.key(first - step) <= home.key(first)) first -= step;
  if (first > size / kMost) return kNone;
  first = std::min(first + step, size - 1);  // a look may have gone past where the row begins
  if (next_fall(home, first + 1, size, by_vectors) != size) return kNone;
  while (first > 0 && home.key(first - 1) <= home.key(first)) --first;
  const Range rest{0, first};
  return worth(rest) ? rest : kNone;
}

}  // namespace postroom::sorting
