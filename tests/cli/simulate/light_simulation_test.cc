// Every collective takes the same virtual time on a LightMachine as on a Machine, with data and
// with sizes only.
#include <gtest/gtest.h>

#include <optional>
#include <stdexcept>

#include "cli/simulate/simulated_operations.h"
#include "cli/simulate/simulation.h"

namespace postroom::cli {
namespace {

/// None where the algorithm does not run with these parameters.
std::optional<Rational> time_of(const Scenario& scenario) {
  try {
    return simulate(scenario).time;
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
}

TEST(LightSimulation, TakesTheTimeOfTheMachine) {
  int compared = 0;
  for (const SimulatedOperation& operation : simulated_operations()) {
    for (const Algorithm& listed : operation.algorithms()) {
      if (!operation.runs_in_model(listed.name)) continue;
      for (const int processors : {1, 2, 7, 16}) {
        const int ports = processors == 7 ? 2 : 1;
        Scenario scenario{.operation = &operation,
                          .algorithm = for_machine(listed, processors, Rational(9, 5), ports),
                          .processors = processors,
                          .lambda = Rational(9, 5),
                          .ports = ports,
                          .block_bytes = 13,
                          .unit_bytes = 4,
                          .root = operation.has_root ? processors / 2 : 0};
        const std::optional<Rational> light = time_of(scenario);
        scenario.sizes_only = !operation.uneven;
        const std::optional<Rational> sizes_only = time_of(scenario);
        scenario.sizes_only = false;
        scenario.trace = true;  // a Machine
        const std::optional<Rational> expected = time_of(scenario);
        EXPECT_EQ(light, expected)
            << operation.name << ' ' << to_string(scenario.algorithm) << ", p = " << processors;
        EXPECT_EQ(sizes_only, expected)
            << operation.name << ' ' << to_string(scenario.algorithm) << ", p = " << processors;
        if (expected) ++compared;
      }
    }
  }
  EXPECT_GT(compared, 100);
}

}  // namespace
}  // namespace postroom::cli
