// Records of few different keys: spread over blocks, and brought home from there.
#include "sort/engine/few_records.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <stdexcept>
#include <vector>

#include "runtime/machine.h"
#include "sort/engine/layout.h"
#include "sort/keys.h"
#include "tests/sort/machines.h"
#include "tests/sort/pair_rows.h"
#include "tests/sort/sorting.h"

namespace postroom::sorting {
namespace {

std::vector<std::uint32_t> different_keys(std::size_t count, std::uint64_t seed) {
  auto keys = keys_of<std::uint32_t>(Distribution::uniform, count, seed);
  std::ranges::sort(keys);
  EXPECT_EQ(std::ranges::adjacent_find(keys), keys.end());
  std::ranges::shuffle(keys, std::mt19937_64(seed));
  return keys;
}

// Pairs whose keys are drawn from these.
std::vector<Pair> pairs_of(const std::vector<std::uint32_t>& keys, std::size_t size,
                           std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Pair> all;
  for (std::size_t i = 0; i < size; ++i) {
    all.push_back({keys[random() % keys.size()], static_cast<std::uint32_t>(i)});
  }
  return all;
}

// By `processors`; whether there were few different keys.
bool sort_few_by(std::vector<Pair>& pairs, std::size_t processors, PairKey key = {}) {
  std::vector<Pair> room(pairs.size());
  const SortConfig config;
  FewRecords<Pairs> few(Pairs(bytes_in(pairs), key), Pairs(bytes_in(room), key), pairs.size(),
                        processors, config);
  Failure failure;
  std::vector<char> sorted(processors);
  Machine& machine = machine_of(processors);
  machine.run([&](Processor& self) {
    Steps steps(Team(self), failure);
    sorted[static_cast<std::size_t>(self.id())] = few.sort(steps, {});
  });
  failure.rethrow();
  EXPECT_EQ(std::ranges::count(sorted, sorted[0]), static_cast<std::ptrdiff_t>(processors));
  return sorted[0] != 0;
}

class FewRecordsTest : public testing::TestWithParam<std::size_t> {};

TEST_P(FewRecordsTest, AreSortedStably) {
  for (const std::size_t size : {0, 1, 15, 500, 1000, 20'011}) {
    for (const std::size_t different : {1, 2, 17, 60}) {
      auto keys = different_keys(different, different);
      for (const bool with_zero : {false, true}) {
        if (with_zero) keys.push_back(0);
        auto pairs = pairs_of(keys, size, size + different);
        const auto expected = sorted(pairs);
        ASSERT_TRUE(sort_few_by(pairs, GetParam())) << size << " of " << keys.size() << " keys";
        ASSERT_EQ(pairs, expected) << size << " of " << keys.size() << " keys";
      }
    }
  }
}

// Large blocks, of which the last ones are far from full.
TEST_P(FewRecordsTest, AreSortedStablyInLargeBlocks) {
  auto pairs = pairs_of(different_keys(64, 4), 1'000'003, 5);
  const auto expected = sorted(pairs);
  ASSERT_TRUE(sort_few_by(pairs, GetParam()));
  EXPECT_EQ(pairs, expected);
}

// In each share new keys come now and then, so that others have to move to other slots.
TEST_P(FewRecordsTest, KeysMayComeLate) {
  constexpr std::size_t kShare = 10'000;
  const auto keys = different_keys(80, 3);
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < kShare * GetParam(); ++i) {
    const std::size_t known = std::min(keys.size(), 10 + i % kShare / 50);
    pairs.push_back({keys[i * 7919 % known], static_cast<std::uint32_t>(i)});
  }
  const auto expected = sorted(pairs);
  ASSERT_TRUE(sort_few_by(pairs, GetParam()));
  EXPECT_EQ(pairs, expected);
}

TEST_P(FewRecordsTest, ProcessorsMayHaveOtherKeysThanOthers) {
  const auto keys = different_keys(100, 8);
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < 10'000; ++i) {
    pairs.push_back({keys[i / 1000 * 10 + i % 10], static_cast<std::uint32_t>(i)});
  }
  const auto expected = sorted(pairs);
  ASSERT_TRUE(sort_few_by(pairs, GetParam()));
  EXPECT_EQ(pairs, expected);
}

TEST_P(FewRecordsTest, ManyDifferentKeysAreLeftAlone) {
  auto of_all = pairs_of(different_keys(5000, 1), 5000, 1);
  // Few in each share, and too many together.
  std::vector<Pair> by_share;
  const auto keys = different_keys(400, 2);
  for (std::size_t i = 0; i < 40'000; ++i) {
    by_share.push_back({keys[i / 10'000 * 100 + i % 100], static_cast<std::uint32_t>(i)});
  }
  // One more than may be, at the end.
  auto late = pairs_of(different_keys(60, 3), 20'000, 3);
  const auto more = pairs_of(different_keys(300, 4), 600, 4);
  late.insert(late.end(), more.begin(), more.end());
  for (const auto& pairs : {of_all, by_share, late}) {
    auto same = pairs;
    EXPECT_FALSE(sort_few_by(same, GetParam()));
    EXPECT_EQ(same, pairs);
  }
}

TEST_P(FewRecordsTest, AKeyThatThrowsLeavesAllAsItWas) {
  const auto before = pairs_of(different_keys(50, 6), 5000, 6);
  for (const std::uint32_t throws_at : {0u, 17u, 2500u, 4980u, 4999u}) {
    auto pairs = before;
    EXPECT_THROW((void)sort_few_by(pairs, GetParam(), {.throws_at_number = throws_at}),
                 std::runtime_error);
    EXPECT_EQ(pairs, before);
  }
}

INSTANTIATE_TEST_SUITE_P(Processors, FewRecordsTest, testing::Values(1, 2, 3, 8),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace postroom::sorting
