// Times of a broadcast against α: where time is virtual, what is measured is what is predicted.
#include "cli/reproduce/alpha_sweep.h"

#include <gtest/gtest.h>

#include <memory>

#include "runtime/virtual_clock.h"

namespace postroom::cli {
namespace {

TEST(AlphaSweep, MeasuresWhatItPredicts) {
  const Rational lambda(9, 5);
  const auto clock = std::make_shared<VirtualClock>(lambda);
  TimedMachine machine(64, clock);
  const AlphaSweep sweep(64, 1);
  ASSERT_EQ(sweep.size(), 21u);
  const std::vector<double> model = sweep.predict(lambda);
  const std::vector<double> measured = medians(sweep.measure(machine, 512, 1));
  for (std::size_t i = 0; i < sweep.size(); ++i) {
    // A tick counts as a nanosecond.
    const double units = measured[i] * 1e9 / static_cast<double>(clock->ticks_per_unit());
    EXPECT_NEAR(units, model[i], 1e-9) << sweep.alpha(i);
  }
  EXPECT_EQ(sweep.best(measured, 1), "0.56 to 0.59");
  EXPECT_NEAR(model[0], 10.8, 1e-12);
  EXPECT_NEAR(model[8], 9.2, 1e-12);
}

TEST(AlphaSweep, NamesTheBest) {
  const AlphaSweep sweep(8, 10);
  EXPECT_EQ(sweep.best({3, 2, 4}, 0), "0.60");
  EXPECT_EQ(sweep.best({2.01, 2, 4}, 1), "0.50 to 0.60");
  EXPECT_EQ(sweep.line("x", {3, 2, 4}, 10).points.back(), (std::pair<double, double>(0.7, 40)));
}

}  // namespace
}  // namespace postroom::cli
