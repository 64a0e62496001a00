// The predicted time of each algorithm is what a run under the virtual clock takes.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "cli/simulate/simulated_operations.h"
#include "collectives/models/time_model.h"
#include "runtime/machine.h"
#include "runtime/virtual_clock.h"

namespace postroom::cli {
namespace {

constexpr double kT0 = 200'000;  // nanoseconds

struct Message {
  std::size_t bytes;
  std::size_t unit_bytes;
};
// Messages that are one unit, that are several, and that fall into blocks of different sizes.
constexpr Message kMessages[] = {{1, 0}, {40, 0}, {96, 8}, {41, 7}, {0, 4}};

/// The listed ones of `operation`, and more parameters.
std::vector<Algorithm> many_algorithms(const SimulatedOperation& operation, int p,
                                       const Rational& lambda) {
  std::vector<Algorithm> list;
  for (Algorithm algorithm : operation.algorithms()) {
    if (algorithm.latency != 0) algorithm.latency = lambda;
    list.push_back(algorithm);
    if (algorithm.radix != 0 && p > 3) {
      algorithm.radix = p / 2;
      list.push_back(algorithm);
    }
    if (algorithm.ports != 0) {
      algorithm.ports = 3;
      list.push_back(algorithm);
    }
    if (algorithm.blocks != 0) {
      algorithm.blocks = 7;
      list.push_back(algorithm);
    }
    if (algorithm.latency != 0) {
      algorithm.latency = 4;
      list.push_back(algorithm);
    }
  }
  return list;
}

/// How long a run takes, in units; NaN where these processors cannot run it.
double time_of_run(Machine& machine, const VirtualClock& clock, const SimulatedOperation& operation,
                   std::size_t bytes, const Algorithm& algorithm) {
  try {
    machine.run([&](Processor& self) { operation.run(self, 0, bytes, algorithm); });
  } catch (const std::exception&) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  return clock.finish().to_double();
}

/// The predicted one; NaN where there is none.
double predicted_time(const SimulatedOperation& operation, int p, std::size_t bytes,
                      const Algorithm& algorithm, const TimeModel& model) {
  try {
    const double time = operation.time(p, static_cast<std::int64_t>(bytes), algorithm, model) / kT0;
    return std::isinf(time) ? std::numeric_limits<double>::quiet_NaN() : time;
  } catch (const std::invalid_argument&) {
    return std::numeric_limits<double>::quiet_NaN();
  }
}

class PredictedTimes : public testing::TestWithParam<int> {};

TEST_P(PredictedTimes, AreThoseOfRuns) {
  const int p = GetParam();
  int compared = 0;
  for (const Rational lambda : {Rational(1), Rational(9, 5), Rational(3)}) {
    for (const auto [bytes, unit_bytes] : kMessages) {
      for (const int ports : {1, 2}) {
        if (ports == 2 && bytes == 40) continue;
        const auto clock = std::make_shared<VirtualClock>(
            PostalParameters{.lambda = lambda, .ports = ports, .unit_bytes = unit_bytes});
        Machine machine({.processors = p, .clock = clock});
        const TimeModel model = TimeModel::postal(lambda, kT0, unit_bytes, ports);
        for (const SimulatedOperation& operation : simulated_operations()) {
          // As many messages as pairs, in several rounds: one model will do for so many processors.
          if (operation.choose != nullptr && p > 20 && (lambda != Rational(9, 5) || ports > 1)) {
            continue;
          }
          for (const Algorithm& algorithm : many_algorithms(operation, p, lambda)) {
            // Runs, without messages.
            if (algorithm == Algorithm::machine) continue;
            SCOPED_TRACE(std::string(operation.name) + " " + to_string(algorithm) + ", lambda " +
                         to_string(lambda) + ", bytes " + std::to_string(bytes) + " in units of " +
                         std::to_string(unit_bytes) + ", ports " + std::to_string(ports));
            const double seen = time_of_run(machine, *clock, operation, bytes, algorithm);
            const double predicted = predicted_time(operation, p, bytes, algorithm, model);
            ASSERT_EQ(std::isnan(seen), std::isnan(predicted));
            if (std::isnan(seen)) continue;
            EXPECT_NEAR(predicted, seen, 1e-5 * (1 + seen));
            ++compared;
          }
        }
      }
    }
  }
  EXPECT_GT(compared, 500);
}

// Beyond the numbers of processors up to which they are exact.
TEST(PredictedTimesOfMany, AreAtMostATenthTooLong) {
  constexpr int kProcessors = 300;
  for (const Rational lambda : {Rational(1), Rational(9, 5), Rational(5)}) {
    const auto clock = std::make_shared<VirtualClock>(lambda);
    Machine machine({.processors = kProcessors, .clock = clock});
    const TimeModel model = TimeModel::postal(lambda, kT0);
    const auto compare = [&](const char* name, const Algorithm& algorithm, std::size_t bytes) {
      SCOPED_TRACE(std::string(name) + " " + to_string(algorithm) + ", lambda " +
                   to_string(lambda));
      const SimulatedOperation& operation = simulated_operation(name);
      const double seen = time_of_run(machine, *clock, operation, bytes, algorithm);
      const double predicted = predicted_time(operation, kProcessors, bytes, algorithm, model);
      EXPECT_GE(predicted, seen * (1 - 1e-5));
      EXPECT_LE(predicted, seen * 1.1);
    };
    compare("allgather", Algorithm::queueless, 1);
    compare("alltoall", Algorithm::fat_tree, 1);
    compare("allreduce", Algorithm::block_circulant(), 1000);
  }
}

INSTANTIATE_TEST_SUITE_P(Processors, PredictedTimes, testing::Values(1, 2, 3, 5, 8, 13, 16, 33, 64),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace postroom::cli
