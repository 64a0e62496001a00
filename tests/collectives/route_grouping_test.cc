#include "collectives/route_grouping.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "collectives/route_relation.h"

namespace postroom {
namespace {

constexpr std::uint64_t kSeed = 77;

/// Of one target, of all in turn, of all in no order, a half of them of one in no order.
std::vector<std::vector<int>> lists_of(std::size_t size, int processors) {
  std::mt19937_64 random(kSeed);
  std::vector<std::vector<int>> lists(4, std::vector<int>(size, processors - 1));
  for (std::size_t k = 0; k < size; ++k) {
    const auto p = static_cast<std::uint64_t>(processors);
    lists[1][k] = static_cast<int>(k % p);
    lists[2][k] = static_cast<int>(random() % p);
    lists[3][k] = random() % 2 == 0 ? processors / 2 : lists[2][k];
  }
  return lists;
}

TEST(RouteGrouping, CountsAndPlacesWhatALoopWould) {
  for (const int p : {1, 2, 3, 8, 33}) {
    for (const std::size_t size : {0, 1, 3, 4, 7, 8, 9, 17, 100, 203}) {
      for (const std::vector<int>& targets : lists_of(size, p)) {
        const RouteCounts counts = count_targets(targets, p);
        ASSERT_EQ(counts.size(), static_cast<std::size_t>(p));
        std::vector<std::vector<std::uint32_t>> expected(counts.size());
        std::vector<std::vector<std::uint32_t>> placed(counts.size());
        std::vector<std::uint32_t> elements;
        for (std::uint32_t k = 0; k < size; ++k) {
          elements.push_back(1000 + k);
          expected[static_cast<std::size_t>(targets[k])].push_back(1000 + k);
        }
        std::vector<std::uint32_t*> next;
        for (std::size_t target = 0; target < counts.size(); ++target) {
          ASSERT_EQ(counts[target], expected[target].size()) << "p=" << p << ", seed " << kSeed;
          placed[target].resize(counts[target]);
          next.push_back(placed[target].data());
        }
        place_by_target<std::uint32_t>(elements, targets, counts, next);
        ASSERT_EQ(placed, expected) << "p=" << p << ", size=" << size << ", seed " << kSeed;

        for (std::size_t target = 0; target < counts.size(); ++target) {
          std::ranges::fill(placed[target], 0);
          next[target] = placed[target].data();
        }
        place_by_ranks<std::uint32_t>(elements, targets, next);
        ASSERT_EQ(placed, expected) << "p=" << p << ", size=" << size << ", seed " << kSeed;
      }
    }
  }
}

TEST(RouteGrouping, HardToGuessIsAFrequentTargetInNoOrder) {
  const auto are_hard = [](std::vector<int> targets, bool in_order) {
    if (in_order) std::ranges::sort(targets);
    return are_hard_to_guess(targets, count_targets(targets, 8));
  };
  const std::vector<std::vector<int>> lists = lists_of(1000, 8);
  EXPECT_TRUE(are_hard(lists[3], false)) << "seed " << kSeed;
  EXPECT_FALSE(are_hard(lists[3], true));
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(are_hard(lists[i], false)) << i;
  EXPECT_FALSE(are_hard({}, false));
}

TEST(RouteGrouping, OneTargetOutsideIsSeen) {
  std::vector<int> targets(100, 3);
  EXPECT_TRUE(all_below(targets, 4));
  EXPECT_TRUE(all_below({}, 1));
  for (const std::size_t k : {0, 50, 99}) {
    for (const int bad : {4, -1, 1'000'000'000}) {
      std::vector<int> with_bad = targets;
      with_bad[k] = bad;
      EXPECT_FALSE(all_below(with_bad, 4)) << k << ": " << bad;
    }
  }
}

}  // namespace
}  // namespace postroom
