#include "collectives/route/route_grouping.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "collectives/route/route_relation.h"

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

/// Counts, then places by `place(elements, targets, counts, next)`; what a loop would do is
/// expected.
template <class T, class Place>
void expect_placed(const std::vector<int>& targets, int p, const Place& place) {
  const RouteCounts counts = count_targets(targets, p);
  ASSERT_EQ(counts.size(), static_cast<std::size_t>(p));
  std::vector<T> elements;
  std::vector<std::vector<T>> expected(counts.size());
  for (const int target : targets) {
    elements.push_back(static_cast<T>(1000 + elements.size()));
    expected[static_cast<std::size_t>(target)].push_back(elements.back());
  }
  // Side by side, and something behind the last: nothing is written outside of its places.
  constexpr T kBehind = 77;
  std::vector<T> placed(elements.size() + 64, kBehind);
  std::vector<T> in_order;
  std::vector<T*> next;
  for (std::size_t target = 0; target < counts.size(); ++target) {
    ASSERT_EQ(counts[target], expected[target].size()) << "p=" << p << ", seed " << kSeed;
    next.push_back(placed.data() + in_order.size());
    in_order.insert(in_order.end(), expected[target].begin(), expected[target].end());
  }
  in_order.resize(placed.size(), kBehind);
  place(std::span<const T>(elements), std::span<const int>(targets), counts, next);
  ASSERT_EQ(placed, in_order) << "p=" << p << ", size=" << targets.size() << ", seed " << kSeed;
}

TEST(RouteGrouping, CountsAndPlacesWhatALoopWould) {
  const auto by_target = [](const auto& elements, auto... rest) {
    place_by_target(elements, rest...);
  };
  for (const int p : {1, 2, 3, 4, 8, 33}) {
    for (const std::size_t size : {0, 1, 3, 4, 7, 8, 9, 17, 100, 203, 256, 1000, 5000}) {
      for (const std::vector<int>& targets : lists_of(size, p)) {
        expect_placed<std::uint16_t>(targets, p, by_target);
        expect_placed<std::uint32_t>(targets, p, by_target);
        expect_placed<std::uint64_t>(targets, p, by_target);
        expect_placed<std::uint32_t>(targets, p, [](auto elements, auto those, auto&, auto next) {
          place_by_ranks<std::uint32_t>(elements, those, next);
        });
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
