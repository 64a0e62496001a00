// Bare keys that differ in few bits, but for a few that lie far away.
#include "sort/engine/count_most.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "runtime/machine.h"
#include "sort/datasets.h"
#include "sort/engine/config.h"
#include "sort/engine/count_all.h"
#include "sort/engine/digit.h"
#include "sort/engine/failure.h"
#include "sort/engine/layout.h"
#include "sort/engine/steps.h"
#include "sort/engine/team.h"
#include "sort/keys.h"
#include "tests/sort/key_rows.h"
#include "tests/sort/machines.h"

namespace postroom::sorting {
namespace {

constexpr std::size_t kSize = 200'000;

/// Uniform keys of 10 bits above `least`.
template <class Key>
std::vector<Key> near_keys(Key least, std::size_t size = kSize) {
  std::vector<Key> keys(size);
  fill(keys, Distribution::uniform, /*seed=*/3);
  for (Key& key : keys) key = static_cast<Key>(least + static_cast<Key>(key & Key{1023}));
  return keys;
}

/// Whether CountAll was misled, by one processor as by several, and what comes then sorts them.
template <class Key>
bool sorts_most(const std::vector<Key>& keys, const std::vector<Key>& expected) {
  const SortConfig config;
  int teams = 0;
  for (const int processors : {1, 2, 3, 5}) {
    std::vector<Key> own = keys;
    std::vector<Key> room(own.size());
    const auto team_size = static_cast<std::size_t>(processors);
    CountAll<Keys<Key>> all(rows_of(own), own.size(), team_size, config);
    CountMost<Keys<Key>> most(rows_of(own), rows_of(room), own.size(), team_size, config);
    Failure failure;
    std::atomic<int> sorted = 0;
    Machine& machine = machine_of(static_cast<std::size_t>(processors));
    machine.run([&](Processor& self) {
      Steps steps(Team(self), failure);
      if (all.sort(steps)) return;
      const std::optional<Digit> digit = all.misled_by(steps.id());
      if (digit && most.sort(steps, *digit)) ++sorted;
    });
    failure.rethrow();
    EXPECT_TRUE(sorted == 0 || sorted == processors) << "of " << processors;
    if (sorted == processors) {
      EXPECT_EQ(own, expected) << "by " << processors;
      ++teams;
    } else {
      std::ranges::sort(own);
      EXPECT_EQ(own, expected) << "lost by " << processors;
    }
  }
  EXPECT_TRUE(teams == 0 || teams == 4);
  return teams == 4;
}

template <class Key>
bool sorts_most(const std::vector<Key>& keys) {
  std::vector<Key> expected = keys;
  std::ranges::sort(expected);
  return sorts_most(keys, expected);
}

class CountMostTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!CountMost<Keys<std::uint32_t>>::suits({})) GTEST_SKIP() << "no vectors";
  }
};

TEST_F(CountMostTest, OneFarAway) {
  for (const int least : {0, -(1 << 28), 1 << 28}) {
    const std::vector<std::int32_t> near = near_keys<std::int32_t>(least);
    std::vector<std::int32_t> sorted = near;
    std::ranges::sort(sorted);
    for (const std::size_t place : {std::size_t{1}, std::size_t{12'345}, kSize - 1}) {
      for (const int far :
           {-1, std::numeric_limits<int>::min(), 1 << 20, std::numeric_limits<int>::max()}) {
        std::vector<std::int32_t> keys = near;
        keys[place] = far;
        std::vector<std::int32_t> expected = sorted;
        expected.erase(std::ranges::lower_bound(expected, near[place]));
        expected.insert(std::ranges::lower_bound(expected, far), far);
        EXPECT_TRUE(sorts_most(keys, expected)) << far << " at " << place << " among " << least;
      }
    }
  }
}

TEST_F(CountMostTest, SomeOnBothSides) {
  for (const std::size_t step : {std::size_t{617}, std::size_t{7'001}}) {
    std::vector<std::int64_t> keys = near_keys<std::int64_t>(std::int64_t{1} << 40);
    std::vector<std::uint64_t> lowest = near_keys<std::uint64_t>(0);
    std::vector<std::uint64_t> highest = near_keys<std::uint64_t>(~std::uint64_t{1023});
    for (std::size_t i = 1; i < kSize; i += step) {
      const std::uint64_t far = i * 0x9e37'79b9'7f4a'7c15U;
      keys[i] = static_cast<std::int64_t>(far);
      lowest[i] = far;
      highest[i] = far;
    }
    EXPECT_TRUE(sorts_most(keys)) << step;
    EXPECT_TRUE(sorts_most(lowest)) << step;
    EXPECT_TRUE(sorts_most(highest)) << step;
  }
}

// All far ones in the share of one processor: the others have to give up room.
TEST_F(CountMostTest, AllOnOneSideOfTheArray) {
  std::vector<std::uint32_t> keys = near_keys<std::uint32_t>(1 << 28);
  for (std::size_t i = 1; i < 60; ++i) {  // between the keys of a sample
    keys[i] = ~static_cast<std::uint32_t>(i);
    keys[kSize - i] = static_cast<std::uint32_t>(i);
  }
  EXPECT_TRUE(sorts_most(keys));
}

// As only a sample's step can miss.
TEST_F(CountMostTest, LeavesMany) {
  const std::size_t step = kSize / SortConfig().sample_records;
  std::vector<std::uint32_t> keys = near_keys<std::uint32_t>(0);
  for (std::size_t i = 1; i < kSize; i += 8) {
    if (i % step != 0) keys[i] = static_cast<std::uint32_t>(i) << 12;
  }
  EXPECT_FALSE(sorts_most(keys));
}

// Between the keys that are near, one that differs below the digit.
TEST_F(CountMostTest, LeavesWhatIsNearAndDiffersInOtherBits) {
  std::vector<std::uint32_t> keys = near_keys<std::uint32_t>(0);
  for (std::uint32_t& key : keys) key <<= 14;
  keys[12'345] |= 1;
  keys[23'456] = ~0U;
  EXPECT_FALSE(sorts_most(keys));
}

}  // namespace
}  // namespace postroom::sorting
