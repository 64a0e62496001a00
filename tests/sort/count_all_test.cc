// Bare keys that differ in few bits, counted at once and written.
#include "sort/engine/count_all.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "runtime/machine.h"
#include "sort/datasets.h"
#include "sort/engine/config.h"
#include "sort/engine/failure.h"
#include "sort/engine/layout.h"
#include "sort/engine/steps.h"
#include "sort/engine/team.h"
#include "sort/keys.h"
#include "tests/sort/key_rows.h"
#include "tests/sort/machines.h"
#include "tests/sort/sorting.h"

namespace postroom::sorting {
namespace {

/// Whether they are sorted, by one processor as by several; if not, they are as they were.
template <class Count, class Key>
bool is_counted_by(const std::vector<Key>& keys, const SortConfig& config) {
  std::vector<Key> expected = keys;
  std::ranges::sort(expected);
  std::vector<bool> counted;
  for (const int processors : {1, 2, 3, 5}) {
    std::vector<Key> own = keys;
    CountAll<Keys<Key>> count_all(rows_of(own), own.size(), static_cast<std::size_t>(processors),
                                  config);
    Failure failure;
    std::atomic<int> sorted = 0;
    Machine& machine = machine_of(static_cast<std::size_t>(processors));
    machine.run([&](Processor& self) {
      Steps steps(Team(self), failure);
      if (count_all.template sort_with<Count>(steps)) ++sorted;
    });
    failure.rethrow();
    EXPECT_TRUE(sorted == 0 || sorted == processors) << "of " << processors;
    EXPECT_TRUE(own == (sorted > 0 ? expected : keys)) << "by " << processors;
    counted.push_back(sorted > 0);
  }
  EXPECT_EQ(std::ranges::count(counted, counted.front()), std::ssize(counted));
  return counted.front();
}

template <class Key>
bool is_counted(const std::vector<Key>& keys, const SortConfig& config = {}) {
  const bool counted = is_counted_by<std::uint32_t>(keys, config);
  EXPECT_EQ(is_counted_by<std::uint64_t>(keys, config), counted);
  return counted;
}

// Uniform keys of so many bits, above which all have the same.
template <class Key>
std::vector<Key> narrow_keys(std::size_t size, int bits, Key others) {
  std::vector<Key> keys = keys_of<Key>(Distribution::uniform, size, /*seed=*/1);
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

// Values that most keys have, some, one, none: whatever is written at once, and whosever it is.
TEST(CountAll, SortsWhateverTheCounts) {
  for (const std::size_t size : {1'000, 1'003, 5'000}) {
    const auto random = keys_of<std::uint64_t>(Distribution::uniform, size, /*seed=*/3);
    for (const int bits : {2, 5, 7, 8}) {
      for (const std::size_t others : {1, 2, 50}) {  // one in so many has any value but the least
        std::vector<std::uint8_t> bytes(size);
        std::vector<std::uint16_t> halves(size);
        std::vector<std::uint64_t> wholes(size);
        for (std::size_t i = 0; i < size; ++i) {
          const std::uint64_t value = i % others == 0 ? random[i] >> (64 - bits) : 0;
          bytes[i] = static_cast<std::uint8_t>(value);
          halves[i] = static_cast<std::uint16_t>(value << 3);
          wholes[i] = value << 50 | 1;
        }
        EXPECT_TRUE(is_counted(bytes)) << size << ", bits " << bits << ", others " << others;
        EXPECT_TRUE(is_counted(halves)) << size << ", bits " << bits << ", others " << others;
        EXPECT_TRUE(is_counted(wholes)) << size << ", bits " << bits << ", others " << others;
      }
    }
  }
}

TEST(CountAll, LeavesKeysOfMany) {
  auto keys = narrow_keys<std::uint32_t>(1 << 18, 20, 0);
  EXPECT_FALSE(is_counted(keys)) << "four values for each key";
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
