// Summaries and means of few numbers, by hand.
#include "cli/bench/bench_statistics.h"

#include <gtest/gtest.h>

#include <array>

#include "cli/common/robust.h"

namespace postroom::cli {
namespace {

TEST(Summary, OfOneSample) {
  const Summary summary = summarize({7});
  EXPECT_EQ(summary.samples, 1);
  EXPECT_EQ(summary.min, 7);
  EXPECT_EQ(summary.median, 7);
  EXPECT_EQ(summary.p99, 7);
  EXPECT_EQ(summary.spread(), 0);
}

TEST(Summary, OfSamplesInAnyOrder) {
  const Summary summary = summarize({5, 1, 4, 2, 3});
  EXPECT_EQ(summary.samples, 5);
  EXPECT_TRUE(summary.outliers.empty());
  EXPECT_EQ(summary.min, 1);
  EXPECT_EQ(summary.lower_quartile, 2);
  EXPECT_EQ(summary.median, 3);
  EXPECT_EQ(summary.upper_quartile, 4);
  EXPECT_DOUBLE_EQ(summary.p99, 4.96);
  EXPECT_DOUBLE_EQ(summary.spread(), 2.0 / 3);
}

TEST(Summary, BetweenTwoSamplesInProportion) {
  const Summary summary = summarize({40, 0, 20, 10});
  EXPECT_DOUBLE_EQ(summary.median, 15);
  EXPECT_DOUBLE_EQ(summary.lower_quartile, 7.5);
}

TEST(Summary, SpreadOfNothingIsNone) { EXPECT_EQ(summarize({0, 0, 0}).spread(), 0); }

TEST(BenchStatistics, Means) {
  EXPECT_DOUBLE_EQ(*geometric_mean(std::array{0.5, 2.0}), 1);
  EXPECT_DOUBLE_EQ(*geometric_mean(std::array{1.0, 8.0}), 2.8284271247461903);
  EXPECT_FALSE(geometric_mean({}));
  EXPECT_EQ(median_of({3, 1, 2}), 2);
  EXPECT_FALSE(median_of({}));
}

}  // namespace
}  // namespace postroom::cli
