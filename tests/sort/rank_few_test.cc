// Very few records, each compared with all others.
#include "sort/engine/rank_few.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <vector>

#include "tests/sort/pair_rows.h"

namespace postroom::sorting {
namespace {

TEST(RankFew, AreSortedStably) {
  std::mt19937_64 random(1);
  for (std::size_t size = 0; size <= kMostRanked; ++size) {
    for (const std::uint32_t keys : {1u, 2u, 5u, 1'000'000'000u}) {
      for (int turn = 0; turn < 50; ++turn) {
        std::vector<Pair> pairs;
        for (std::uint32_t i = 0; i < size; ++i) {
          pairs.push_back({static_cast<std::uint32_t>(random() % keys), i});
        }
        const auto expected = sorted(pairs);
        rank_all(Pairs(bytes_in(pairs), PairKey{}), size);
        ASSERT_EQ(pairs, expected) << size << " " << keys;
      }
    }
  }
}

TEST(RankFew, AKeyThatThrowsLeavesAllAsItWas) {
  std::vector<Pair> pairs{{3, 0}, {2, 1}, {1, 2}, {0, 3}};
  const auto before = pairs;
  for (std::uint32_t number = 0; number < pairs.size(); ++number) {
    EXPECT_THROW(rank_all(Pairs(bytes_in(pairs), PairKey{.throws_at_number = number}), 4),
                 std::runtime_error);
    EXPECT_EQ(pairs, before);
  }
}

}  // namespace
}  // namespace postroom::sorting
