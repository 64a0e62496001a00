#include "cli/simulation.h"

#include <algorithm>
#include <array>
#include <exception>
#include <memory>
#include <utility>
#include <vector>

#include "collectives/postal_model.h"
#include "collectives/time_model.h"
#include "runtime/errors.h"
#include "runtime/light_machine.h"
#include "runtime/machine.h"
#include "runtime/postal_clock.h"
#include "runtime/postal_parameters.h"
#include "runtime/virtual_clock.h"

namespace postroom::cli {
namespace {

constexpr std::uint64_t kBytesOfLightProcessor = 512;
// Fewer run on stacks of their own, as programs that exchange do in any case.
constexpr int kLightFrom = 1000;

bool is_light(const Scenario& scenario) {
  return scenario.operation->one_way && !scenario.trace && scenario.t0.count() == 0 &&
         scenario.processors >= kLightFrom;
}

void find_bounds(Outcome& outcome) {
  using Bound = SimulatedOperation::Bound;
  const Scenario& scenario = outcome.scenario;
  const Bound bound = scenario.operation->bound;
  if (bound == Bound::kNone) return;
  const PostalModel model(scenario.lambda, scenario.ports);
  outcome.lower_bound = model.time(scenario.processors);
  const bool whole = scenario.lambda.is_whole() && scenario.ports == 1;
  if (scenario.unit_bytes == 0 && !scenario.lambda_of_pair &&
      (bound == Bound::kOptimal || (bound == Bound::kReachWhole && whole))) {
    outcome.optimum = outcome.lower_bound;
  }
}

PostalParameters parameters_of(const Scenario& scenario) {
  return {.lambda = scenario.lambda_of_pair.value_or(scenario.lambda),
          .ports = scenario.ports,
          .unit_bytes = scenario.unit_bytes};
}

template <class Program>
void run_in_virtual_time(const Program& program, Outcome& outcome) {
  const Scenario& scenario = outcome.scenario;
  const auto clock = std::make_shared<VirtualClock>(parameters_of(scenario));
  if (is_light(scenario)) {
    LightMachine(scenario.processors, clock).run(program);
  } else {
    Machine machine({.processors = scenario.processors, .clock = clock, .trace = scenario.trace});
    machine.run(program);
    if (scenario.trace) outcome.trace = machine.trace();
  }
  outcome.time = clock->finish();
}

template <class Program>
void run_in_real_time(const Program& program, Outcome& outcome) {
  const Scenario& scenario = outcome.scenario;
  const auto clock = std::make_shared<PostalClock>(parameters_of(scenario), scenario.t0);
  Machine machine({.processors = scenario.processors, .clock = clock, .trace = scenario.trace});
  std::vector<Time> ends(static_cast<std::size_t>(scenario.processors));
  std::array<Time, kRealRuns> times{};
  const auto timed = [&](Processor& self) {
    program(self);
    ends[static_cast<std::size_t>(self.id())] = self.now();
  };
  machine.run(timed);
  for (Time& time : times) {
    machine.run(timed);
    time = *std::ranges::max_element(ends);
  }
  std::ranges::sort(times);
  outcome.time = clock->units(times[kRealRuns / 2]);
  if (scenario.trace) outcome.trace = machine.trace();
}

}  // namespace

Outcome simulate(const Scenario& scenario) {
  const SimulatedOperation& operation = *scenario.operation;
  check_room(operation, scenario.processors, scenario.block_bytes,
             is_light(scenario) ? kBytesOfLightProcessor : kBytesOfProcessor);
  Outcome outcome;
  outcome.scenario = scenario;
  if (scenario.algorithm == Algorithm::automatic) {
    const TimeModel model = TimeModel::of(parameters_of(scenario), scenario.processors);
    outcome.scenario.algorithm = operation.chosen(
        scenario.processors, static_cast<std::int64_t>(scenario.block_bytes), &model);
  }
  outcome.cost =
      operation.cost(scenario.processors, static_cast<std::int64_t>(scenario.block_bytes),
                     outcome.scenario.algorithm);
  find_bounds(outcome);
  const auto program = [&](Processor& self) {
    operation.run(self, scenario.root, scenario.block_bytes, scenario.algorithm);
  };
  try {
    if (scenario.t0.count() == 0) {
      run_in_virtual_time(program, outcome);
    } else {
      run_in_real_time(program, outcome);
    }
  } catch (const ProcessorError& error) {
    std::rethrow_exception(error.cause());
  }
  return outcome;
}

}  // namespace postroom::cli
