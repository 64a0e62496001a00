// Bare keys split in place by one processor, compared with std::ranges::sort. And which keys go
// that way.
#include "sort/block_sort.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sort/config.h"
#include "sort/datasets.h"
#include "sort/keys.h"
#include "sort/layout.h"
#include "tests/sort/key_rows.h"
#include "tests/sort/sorting.h"

namespace postroom::sorting {
namespace {

template <class Key>
void expect_sorted(std::vector<Key> keys, const SortConfig& config, const std::string& what) {
  for (const bool descending : {false, true}) {
    std::vector<Key> expected = keys;
    std::ranges::sort(expected);
    if (descending) std::ranges::reverse(expected);
    std::vector<Key> found = keys;
    std::vector<Key> room(keys.size());
    BlockSort<Keys<Key>>(rows_of(found, descending), rows_of(room, descending), keys.size(), config)
        .run();
    EXPECT_TRUE(found == expected)
        << what << ", n = " << keys.size() << (descending ? ", descending" : "")
        << ", bytes of a key = " << sizeof(Key);
  }
}

TEST(BlockSort, SortsEveryDistribution) {
  if (!has_networks()) GTEST_SKIP() << "this processor has no AVX2";
  for (const Distribution distribution : kDistributions) {
    for (const std::size_t size : {1, 500, 3'000, 30'000, 200'000}) {
      for (const std::size_t bytes : {1 << 4, 1 << 12, 1 << 19}) {
        const SortConfig config{.radix_bytes = bytes};
        const std::string what =
            std::string(name_of(distribution)) + ", buckets of " + std::to_string(bytes) + " bytes";
        expect_sorted(keys_of<std::uint32_t>(distribution, size, /*seed=*/size), config, what);
        expect_sorted(keys_of<std::int64_t>(distribution, size, /*seed=*/size), config, what);
      }
    }
  }
}

// Whatever the streams and the blocks leave over.
TEST(BlockSort, SortsEveryLength) {
  if (!has_networks()) GTEST_SKIP() << "this processor has no AVX2";
  const SortConfig config{.radix_bytes = 512, .split_bits = 3};
  for (std::size_t size = 1; size <= 2'200; size += size < 1'000 ? 7 : 1) {
    expect_sorted(keys_of<std::uint32_t>(Distribution::kUniform, size, /*seed=*/1), config, "");
    expect_sorted(keys_of<std::uint64_t>(Distribution::kUniform, size, /*seed=*/1), config, "");
  }
}

// One bucket holds so much that the buffers are in its way.
TEST(BlockSort, SortsWhereNearlyAllAreInOneBucket) {
  if (!has_networks()) GTEST_SKIP() << "this processor has no AVX2";
  std::vector<std::uint32_t> keys = keys_of<std::uint32_t>(Distribution::kUniform, 100'000, 1);
  for (std::uint32_t& key : keys) key >>= 16;
  keys.front() = 0xffff'ffff;
  expect_sorted(keys, {.radix_bytes = 1 << 12}, "one bucket");
}

// Outliers that no sample saw belong to the first and the last bucket.
TEST(BlockSort, SortsOutliers) {
  if (!has_networks()) GTEST_SKIP() << "this processor has no AVX2";
  std::vector<std::int64_t> keys = keys_of<std::int64_t>(Distribution::kUniform, 50'000, 1);
  for (std::int64_t& key : keys) key >>= 20;
  keys[12'345] = std::int64_t{1} << 62;
  keys[23'456] = -(std::int64_t{1} << 61);
  expect_sorted(keys, {.radix_bytes = 1 << 12}, "outliers");
}

template <class Key>
bool pays(Distribution distribution, const SortConfig& config) {
  std::vector<Key> keys = keys_of<Key>(distribution, 500'000, /*seed=*/1);
  return BlockSort<Keys<Key>>::pays(rows_of(keys), keys.size(), config);
}

TEST(BlockSort, IsForKeysThatADigitTellsApart) {
  if (!has_networks()) GTEST_SKIP() << "this processor has no AVX2";
  const SortConfig config{.sides_bytes = 1'000'000};
  EXPECT_TRUE(pays<std::uint32_t>(Distribution::kUniform, config));
  EXPECT_TRUE(pays<std::uint64_t>(Distribution::kNearlySorted, config));
  EXPECT_FALSE(pays<std::uint64_t>(Distribution::kS, config));
  EXPECT_FALSE(pays<std::uint64_t>(Distribution::kEqual, config));
  EXPECT_FALSE(pays<std::uint32_t>(Distribution::kHighBitsEqual, config));
  EXPECT_FALSE(pays<std::uint64_t>(Distribution::kUniform, {}));
  EXPECT_FALSE(
      pays<std::uint64_t>(Distribution::kUniform, {.networks = false, .sides_bytes = 1'000'000}));
}

}  // namespace
}  // namespace postroom::sorting
