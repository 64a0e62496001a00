// All functions of the front door on the same keys, compared with std::stable_sort.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "sort/datasets.h"
#include "sort/sort.h"
#include "tests/sort/columns.h"
#include "tests/sort/sorting.h"

namespace postroom {

/// Sorts records by a projection, keys alone, keys with values, and the numbers of keys.
template <class Key>
void expect_all_sorted(Distribution distribution, std::size_t size, const SortOptions& options) {
  const std::vector<Key> keys = keys_of<Key>(distribution, size, /*seed=*/size + 1);
  const auto expected = expected_order(numbered(keys), options.descending);
  const std::string what = to_string(distribution) + ", n = " + std::to_string(size) +
                           ", p = " + std::to_string(options.processors) + ", " +
                           to_string(options.algorithm) +
                           (options.descending ? ", descending" : "");

  auto records = numbered(keys);
  sort(records, &Numbered<Key>::key, options);
  ASSERT_TRUE(same_records(records, expected)) << "sort by projection, " << what;

  // Numbers that fall, too: an order by the whole record is another one.
  auto falling = numbered(keys);
  for (Numbered<Key>& record : falling) record.number = ~record.number;
  const auto expected_to_fall = expected_order(falling, options.descending);
  sort(falling, &Numbered<Key>::key, options);
  ASSERT_TRUE(same_records(falling, expected_to_fall)) << "sort by projection, falling, " << what;

  auto alone = keys;
  sort(alone, options);
  ASSERT_TRUE(same_bytes(alone, keys_in(expected))) << "sort, " << what;

  auto beside = keys;
  std::vector<std::uint32_t> numbers(size);
  std::iota(numbers.begin(), numbers.end(), 0);
  sort_by_key(beside, numbers, options);
  const std::vector<std::size_t> order = argsort(keys, options);
  ASSERT_EQ(order.size(), size);
  for (std::size_t i = 0; i < size; ++i) {
    ASSERT_EQ(numbers[i], expected[i].number) << "values of sort_by_key, " << what;
    ASSERT_EQ(order[i], expected[i].number) << "argsort, " << what;
  }
  ASSERT_TRUE(same_bytes(beside, keys_in(expected))) << "keys of sort_by_key, " << what;
}

}  // namespace postroom
