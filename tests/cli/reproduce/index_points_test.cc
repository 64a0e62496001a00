// The index algorithm by size and radix: times, break-even and fit where the answer is known.
#include "cli/reproduce/index_points.h"

#include <gtest/gtest.h>

#include <memory>

#include "runtime/postal_parameters.h"
#include "runtime/virtual_clock.h"

namespace postroom::cli {
namespace {

const LinearModel kModel{.start_up = 30, .per_byte = 0.125};

TEST(IndexPoints, TakeTheTimeOfTheLinearModelWhereTimeIsVirtual) {
  const PostalParameters parameters{.lambda = 31, .ports = 1, .unit_bytes = 8};
  const auto clock = std::make_shared<VirtualClock>(parameters);
  TimedMachine machine(kIndexProcessors, clock);
  IndexPoints points = index_grid({2, 5, 64}, {8, 64});
  ASSERT_EQ(points.size(), 6u);
  measure_index(points, machine, 1, 0);
  predict(points, kModel);
  for (const IndexPoint& point : points) {
    // A tick counts as a nanosecond.
    const double units = point.time.median * 1e9 / static_cast<double>(clock->ticks_per_unit());
    EXPECT_NEAR(units, point.model, 1e-6) << point.radix << " " << point.bytes;
  }
}

/// Points that take exactly what the model says.
IndexPoints exact(const std::vector<std::size_t>& sizes) {
  IndexPoints points = index_grid({2, 8, 64}, sizes);
  predict(points, kModel);
  for (IndexPoint& point : points) point.time.median = point.model;
  return points;
}

TEST(IndexPoints, TheFitFindsTheModelBack) {
  IndexPoints points = exact({8, 64, 512});
  const LinearModel model = fitted_model(points);
  EXPECT_NEAR(model.start_up, kModel.start_up, 1e-9);
  EXPECT_NEAR(model.per_byte, kModel.per_byte, 1e-12);
  EXPECT_EQ(median_error_percent(points), 0);
}

TEST(IndexPoints, BreakEven) {
  // 57 rounds more against 129 blocks less: 57 * 240 / 129 = 106 bytes.
  EXPECT_EQ(break_even_in_words(exact({8, 64, 128, 512})), "at 106 bytes");
  EXPECT_EQ(break_even_in_words(exact({8, 64})), "nowhere from 8 to 64 bytes");
  EXPECT_EQ(best_radices(exact({8, 64, 512}), {8, 512}), "2 for 8 bytes, 64 for 512 bytes");
}

TEST(IndexPoints, ChartsHaveALineForEachOfTheirKind) {
  const IndexPoints points = exact({8, 64, 512});
  EXPECT_EQ(by_size(points, "", {2, 8, 64}).lines.size(), 3u);
  const Chart radices = by_radix(points, "", {8, 512});
  ASSERT_EQ(radices.lines.size(), 4u);
  EXPECT_EQ(radices.lines[3].points.size(), 3u);
  EXPECT_TRUE(radices.lines[3].dashed);
  const Chart best = best_by_size(points, "");
  ASSERT_EQ(best.lines.size(), 3u);
  EXPECT_EQ(best.lines[2].points.front().second, best.lines[0].points.front().second);
  EXPECT_EQ(best.lines[2].points.back().second, best.lines[1].points.back().second);
  EXPECT_EQ(index_table(points).rows(), 9u);
}

}  // namespace
}  // namespace postroom::cli
