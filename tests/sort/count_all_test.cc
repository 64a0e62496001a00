// Bare keys that differ in few bits, counted at once and written.
#include "sort/count_all.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "runtime/machine.h"
#include "sort/config.h"
#include "sort/datasets.h"
#include "sort/failure.h"
#include "sort/keys.h"
#include "sort/layout.h"
#include "sort/steps.h"
#include "sort/team.h"
#include "tests/sort/key_rows.h"
#include "tests/sort/sorting.h"

namespace postroom::sorting {
namespace {

/// Whether they are sorted, by one processor as by several; if not, they are as they were.
template <class Key>
bool is_counted(const std::vector<Key>& keys, const SortConfig& config = {}) {
  std::vector<Key> expected = keys;
  std::ranges::sort(expected);
  std::vector<bool> counted;
  for (const int processors : {1, 2, 3, 5}) {
    std::vector<Key> own = keys;
    CountAll<Keys<Key>> count_all(rows_of(own), own.size(), static_cast<std::size_t>(processors),
                                  config);
    Failure failure;
    std::atomic<int> sorted = 0;
    Machine machine({.processors = processors, .pin = false});
    machine.run([&](Processor& self) {
      Steps steps(Team(self), failure);
      if (count_all.sort(steps)) ++sorted;
    });
    failure.rethrow();
    EXPECT_TRUE(sorted == 0 || sorted == processors) << "of " << processors;
    EXPECT_TRUE(own == (sorted > 0 ? expected : keys)) << "by " << processors;
    counted.push_back(sorted > 0);
  }
  EXPECT_EQ(std::ranges::count(counted, counted.front()), std::ssize(counted));
  return counted.front();
}

// Uniform keys of so many bits, above which all have the same.
template <class Key>
std::vector<Key> narrow_keys(std::size_t size, int bits, Key others) {
  std::vector<Key> keys = keys_of<Key>(Distribution::kUniform, size, /*seed=*/1);
  for (Key& key : keys) key = static_cast<Key>((key & ((Key{1} << bits) - 1)) | others);
  return keys;
}

TEST(CountAll, SortsKeysOfFewBits) {
  for (const int bits : {1, 8, 13}) {
    auto narrow = narrow_keys<std::uint32_t>(1 << 18, bits, 0x5500'0000);
    EXPECT_TRUE(is_counted(narrow)) << bits;
    auto wide = narrow_keys<std::uint64_t>(1 << 18, bits, std::uint64_t{0x55} << 40);
    EXPECT_TRUE(is_counted(wide)) << bits;
    auto negative = narrow_keys<std::int64_t>(1 << 18, bits, std::int64_t{-1} << 40);
    EXPECT_TRUE(is_counted(negative)) << bits;
  }
}

TEST(CountAll, LeavesKeysOfMany) {
  auto keys = narrow_keys<std::uint32_t>(1 << 18, 17, 0);
  EXPECT_FALSE(is_counted(keys)) << "a value for two keys";
  auto few = narrow_keys<std::uint32_t>(1 << 18, 8, 0);
  EXPECT_FALSE(is_counted(few, {.count_all_bits = 7}));
  EXPECT_FALSE(is_counted(few, {.count_all_bits = 0}));
}

TEST(CountAll, CountsAgainWhereNoSampleSawABit) {
  auto keys = narrow_keys<std::uint32_t>(1 << 18, 8, 0);
  for (std::uint32_t& key : keys) key <<= 1;
  keys[12'345] |= 1 << 10;
  keys[23'456] |= 1;
  EXPECT_TRUE(is_counted(keys));
}

TEST(CountAll, LeavesKeysWithOneFarAway) {
  auto keys = narrow_keys<std::uint32_t>(1 << 18, 8, 0);
  keys[12'345] |= 1 << 30;
  EXPECT_FALSE(is_counted(keys));
}

TEST(CountAll, LeavesKeysThatSeemToBeAllAlike) {
  std::vector<std::uint32_t> keys(1'000, 7);
  keys[999] = 6;
  EXPECT_FALSE(is_counted(keys, {.sample_records = 2}));
}

}  // namespace
}  // namespace postroom::sorting
