// The instrument: what was put in comes out.
#include "cli/bench/latency_experiment.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "cli/common/robust.h"
#include "runtime/machine.h"
#include "runtime/virtual_clock.h"

namespace postroom::cli {
namespace {

void expect_given_back(const Rational& lambda, int processors, const LatencyOptions& wanted) {
  const auto clock = std::make_shared<VirtualClock>(lambda);
  Machine machine({.processors = processors, .clock = clock});
  LatencyOptions options = wanted;
  options.unit_ns = 1000.0 / static_cast<double>(clock->ticks_per_unit());
  options.samples = 5;
  const Latencies latencies = measure_latency(machine, options);
  for (const LatencyResult& result : latencies.of) {
    EXPECT_NEAR(result.lambda, lambda.to_double(), 1e-9);
    EXPECT_NEAR(result.t0_ns, 1000, 1e-6);
    EXPECT_TRUE(result.outliers.empty());
    EXPECT_EQ(result.worst_spread, 0);
  }
  EXPECT_NEAR(latencies.one_way_ns, 1000 * lambda.to_double(), 1e-6);
}

TEST(LatencyExperiment, GivesLambdaAndT0Back) {
  for (const Rational lambda :
       {Rational(1), Rational(3, 2), Rational(9, 5), Rational(2), Rational(3), Rational(5)}) {
    for (const int processors : {2, 3, 9, 20}) {
      for (const bool blocking : {true, false}) {
        SCOPED_TRACE("lambda " + to_string(lambda) + ", " + std::to_string(processors) +
                     " processors");
        expect_given_back(lambda, processors, {.blocking = blocking});
      }
    }
  }
}

TEST(LatencyExperiment, WorksWithEmptyAndLargeMessages) {
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{49}, std::size_t{100'000}}) {
    for (const bool blocking : {true, false}) {
      expect_given_back(Rational(9, 5), 9, {.bytes = bytes, .blocking = blocking});
    }
  }
}

TEST(Robust, IgnoresAFewBadSamples) {
  const Summary summary = summarize({10, 11, 500, 12, 13, 14, 15});
  EXPECT_EQ(summary.median, 13);
  EXPECT_EQ(summary.lower_quartile, 11.5);
  EXPECT_EQ(summary.upper_quartile, 14.5);
  EXPECT_EQ(summary.samples, 7);
  ASSERT_EQ(summary.outliers.size(), 1u);
  EXPECT_EQ(summary.outliers[0].sample, 2);
  EXPECT_EQ(summary.outliers[0].value, 500);
  EXPECT_EQ(summarize({4}).median, 4);
  EXPECT_EQ(summarize({4}).spread(), 0);
}

TEST(Robust, FitsALineThroughMostPoints) {
  const std::vector<std::pair<double, double>> points = {{1, 12}, {2, 14}, {3, 16}, {4, 90},
                                                         {5, 20}, {6, 22}, {7, 24}};
  const Line line = fit_line(points);
  EXPECT_DOUBLE_EQ(line.slope, 2);
  EXPECT_DOUBLE_EQ(line.intercept, 10);
}

}  // namespace
}  // namespace postroom::cli
