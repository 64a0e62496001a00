// The relations of Eq. (7): how many go to whom.
#include "cli/reproduce/h_relation.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace postroom::cli {
namespace {

TEST(HRelation, ProcessorZeroReceivesMostAndNobodyMoreThanH) {
  for (const int p : {4, 8, 16}) {
    const std::size_t each = 64;
    const std::size_t n = each * static_cast<std::size_t>(p);
    for (const std::size_t h : {each, 2 * each, 4 * each}) {
      const std::vector<int> targets = equation_7_targets(p, n, h);
      ASSERT_EQ(targets.size(), n);
      EXPECT_EQ(std::ranges::count(targets, 0), static_cast<std::ptrdiff_t>(h));
      for (int processor = 0; processor < p; ++processor) {
        const auto count = std::ranges::count(targets, processor);
        EXPECT_LE(count, static_cast<std::ptrdiff_t>(h)) << p << " " << h << " " << processor;
        if (h == each) {
          EXPECT_EQ(count, static_cast<std::ptrdiff_t>(each));
        }
      }
    }
  }
}

TEST(HRelation, CyclicDealingGivesEachTheSame) {
  const auto dealt = dealt_cyclically(equation_7_targets(8, 64, 32), 8);
  ASSERT_EQ(dealt.size(), 8u);
  for (const std::vector<int>& targets : dealt) EXPECT_EQ(targets.size(), 8u);
  EXPECT_EQ(dealt[3].front(), 0);
}

}  // namespace
}  // namespace postroom::cli
