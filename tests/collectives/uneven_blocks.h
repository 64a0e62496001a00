// Blocks of different sizes, for gatherv and scatterv.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <random>
#include <vector>

#include "runtime/processor.h"
#include "tests/collectives/testing.h"

namespace postroom {

using Counts = std::vector<std::size_t>;
using List = std::vector<std::int64_t>;

inline constexpr std::size_t kElementBytes = sizeof(List::value_type);

// Uneven counts, some of them 0; `shift` moves them around.
inline Counts uneven_counts(int processors, std::size_t largest, int shift) {
  Counts counts;
  for (int q = 0; q < processors; ++q) {
    counts.push_back(static_cast<std::size_t>((q + shift) * 7 % 5) * largest / 4);
  }
  return counts;
}

inline Counts random_counts(int processors, std::mt19937& random) {
  Counts counts(static_cast<std::size_t>(processors));
  // Some are far larger than the others.
  for (std::size_t& count : counts) count = random() % 8 << random() % 8;
  return counts;
}

inline std::size_t own(const Processor& self, const Counts& counts) {
  return counts[static_cast<std::size_t>(self.id())];
}

inline List blocks_of_all(const Counts& counts) {
  List all;
  for (std::size_t q = 0; q < counts.size(); ++q) {
    std::ranges::copy(elements(static_cast<int>(q), 0, counts[q]), std::back_inserter(all));
  }
  return all;
}

}  // namespace postroom
