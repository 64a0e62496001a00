// Records of several sizes and distributions, for the functions beside sort().
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sort/options.h"
#include "tests/sort/sorting.h"

namespace postroom {

using Records = std::vector<Numbered<std::int32_t>>;

inline constexpr std::uint64_t kSeed = 21;
// Around the number from which on several processors work, and the smallest ones.
inline constexpr std::size_t kSizes[] = {0, 1, 2, 3, 100, 4097, 70'001};
inline constexpr Distribution kSome[] = {Distribution::uniform, Distribution::few_distinct,
                                         Distribution::sorted, Distribution::reverse,
                                         Distribution::equal};

inline std::string told(Distribution distribution, std::size_t size, bool descending) {
  return to_string(distribution) + ", n = " + std::to_string(size) +
         (descending ? ", descending" : "");
}

/// Calls use(records, in order, options, what) for all sizes, distributions and both ways.
template <class Use>
void for_records(const Use& use) {
  for (const std::size_t size : kSizes) {
    for (const Distribution distribution : kSome) {
      for (const bool descending : {false, true}) {
        const Records records = numbered(keys_of<std::int32_t>(distribution, size, size + kSeed));
        use(records, expected_order(records, descending),
            SortOptions{.processors = 2, .descending = descending},
            told(distribution, size, descending));
      }
    }
  }
}

inline constexpr auto kKey = &Numbered<std::int32_t>::key;

}  // namespace postroom
