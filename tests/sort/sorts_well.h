// A sort that takes more than one processor, and whether it went well: for whoever calls it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "sort/sort.h"
#include "tests/sort/sorting.h"

namespace postroom {

inline constexpr std::size_t kEnoughForAll = 40'000;  // more than one processor would sort alone

inline bool sorts_well(std::size_t size, std::uint64_t seed, const SortOptions& options = {}) {
  auto keys = keys_of<std::uint64_t>(Distribution::uniform, size, seed);
  // What two sorts that share memory by mistake would lose.
  const auto sums = [&] {
    std::uint64_t sum = 0;
    std::uint64_t bits = 0;
    for (const std::uint64_t key : keys) {
      sum += key;
      bits ^= key;
    }
    return std::pair(sum, bits);
  };
  const auto before = sums();
  sort(keys, options);
  return std::ranges::is_sorted(keys) && sums() == before;
}

}  // namespace postroom
