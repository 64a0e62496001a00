#include "sort/blocks.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <stdexcept>

#include "tests/thrown.h"

namespace postroom {
namespace {

TEST(Blocks, CutTheRowInOrderIntoSizesThatDifferByOne) {
  for (int p = 1; p <= 40; ++p) {
    for (std::uint64_t n = 0; n <= 130; ++n) {
      const BlockDistribution blocks(n, p);
      std::uint64_t rank = 0;
      for (int i = 0; i < p; ++i) {
        ASSERT_EQ(blocks.first(i), rank);
        ASSERT_TRUE(blocks.size(i) == n / p || blocks.size(i) == n / p + 1);
        ASSERT_LE(blocks.size(i), blocks.largest());
        for (std::uint64_t position = 0; position < blocks.size(i); ++position, ++rank) {
          ASSERT_EQ(blocks.owner(rank), i) << "n=" << n << " p=" << p << " rank=" << rank;
          ASSERT_EQ(blocks.position(rank), position);
        }
      }
      ASSERT_EQ(rank, n);
      ASSERT_EQ(blocks.first(p), n);
      ASSERT_EQ(blocks.largest(), blocks.size(0));
    }
  }
}

TEST(Blocks, HoldsTheLargestNumbers) {
  const std::uint64_t n = std::numeric_limits<std::uint64_t>::max();
  const BlockDistribution blocks(n, 7);
  EXPECT_EQ(blocks.first(7), n);
  EXPECT_EQ(blocks.owner(n - 1), 6);
  EXPECT_EQ(blocks.position(n - 1), blocks.size(6) - 1);
  EXPECT_EQ(blocks.owner(0), 0);
  EXPECT_EQ(blocks.owner(blocks.first(3)), 3);
  EXPECT_EQ(blocks.owner(blocks.first(3) - 1), 2);
}

TEST(Blocks, NeedAProcessor) {
  EXPECT_EQ(refusal([] { BlockDistribution(10, 0); }), "processors: 0 is not allowed; at least 1");
  EXPECT_THROW(BlockDistribution(10, -3), std::invalid_argument);
}

}  // namespace
}  // namespace postroom
