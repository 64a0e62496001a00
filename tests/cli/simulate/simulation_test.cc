// What a simulation shows of Algorithm::automatic is one algorithm, its cost and its time.
#include "cli/simulate/simulation.h"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <string>

#include "cli/simulate/simulated_operations.h"

namespace postroom::cli {
namespace {

constexpr unsigned kSeed = 20261126;

std::string in_words(const Scenario& scenario) {
  return std::string(scenario.operation->name) + " " + to_string(scenario.algorithm) + ", " +
         std::to_string(scenario.processors) + " processors, lambda " + to_string(scenario.lambda) +
         ", ports " + std::to_string(scenario.ports) + ", " + std::to_string(scenario.block_bytes) +
         " bytes in units of " + std::to_string(scenario.unit_bytes) + ", seed " +
         std::to_string(kSeed);
}

TEST(Simulation, ShowsTheTimeOfTheAlgorithmThatItNames) {
  constexpr std::array kLatencies{Rational(1), Rational(9, 5), Rational(5, 2), Rational(7)};
  std::mt19937 random(kSeed);
  const auto from_to = [&](int least, int most) {
    return std::uniform_int_distribution(least, most)(random);
  };
  for (int turn = 0; turn < 40; ++turn) {
    for (const SimulatedOperation& operation : simulated_operations()) {
      Scenario scenario{
          .operation = &operation,
          .algorithm = Algorithm::automatic,
          .processors = from_to(1, 17),
          .lambda = kLatencies[static_cast<std::size_t>(from_to(0, kLatencies.size() - 1))],
          .ports = from_to(1, 2),
          .block_bytes = static_cast<std::size_t>(from_to(1, 1500)),
          .unit_bytes = static_cast<std::size_t>(turn % 4 == 0 ? 0 : from_to(1, 64))};
      const Outcome automatic = simulate(scenario);
      scenario.algorithm = automatic.scenario.algorithm;
      const Outcome named = simulate(scenario);
      EXPECT_EQ(automatic.time, named.time) << in_words(scenario);
      EXPECT_EQ(automatic.cost, named.cost) << in_words(scenario);
    }
  }
}

}  // namespace
}  // namespace postroom::cli
