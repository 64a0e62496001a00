#include "cli/simulate/simulation.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <exception>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "cli/common/failure.h"
#include "cli/common/units.h"
#include "collectives/algorithms/broadcast_level_tree.h"
#include "collectives/models/postal_model.h"
#include "collectives/models/time_model.h"
#include "numa/rounding.h"
#include "runtime/errors.h"
#include "runtime/light_machine.h"
#include "runtime/machine.h"
#include "runtime/postal_clock.h"
#include "runtime/postal_parameters.h"
#include "runtime/virtual_clock.h"

namespace postroom::cli {
namespace {

// On a LightMachine, where it has a stack of its own and where it has not.
constexpr std::uint64_t kBytesWithStack = 10 * 1024;
constexpr std::uint64_t kBytesWithoutStack = 512;

bool is_light(const Scenario& scenario) { return !scenario.trace && scenario.t0.count() == 0; }

bool is_broadcast(const Scenario& scenario) { return scenario.operation->name == "broadcast"; }

/// Whether no processor has lists of its own: they have the same ones, and the algorithm does not
/// make others, as Bruck's does and those that combine lists do.
bool is_without_lists(const Scenario& scenario) {
  if (!scenario.sizes_only) return false;
  return is_broadcast(scenario) || (scenario.algorithm.radix == 0 &&
                                    scenario.operation->block == SimulatedOperation::Block::kPart);
}

/// Two processors' lists, by the number of processors: two blocks in, two out, for each of all; of
/// a broadcast two lists.
std::uint64_t shared_bytes_of_processor(const Scenario& scenario) {
  if (!is_broadcast(scenario)) return 4 * scenario.block_bytes;
  return ceil_divide<std::uint64_t>(2 * scenario.block_bytes,
                                    static_cast<std::uint64_t>(scenario.processors));
}

PostalParameters parameters_of(const Scenario& scenario) {
  return {.lambda = scenario.lambda_of_pair.value_or(scenario.lambda),
          .ports = scenario.ports,
          .unit_bytes = scenario.unit_bytes};
}

bool has_levels(const Scenario& scenario) {
  return scenario.lambda_of_pair && scenario.lambda_of_pair->levels() != nullptr;
}

std::shared_ptr<const LevelTreeOfBox> level_tree_of(const Scenario& scenario) {
  const std::int64_t units = parameters_of(scenario).units_of(scenario.block_bytes);
  return level_tree_for(scenario.lambda_of_pair->levels(), scenario.root, units);
}

/// What takes a message from one to all, or from all to one, takes no less than a broadcast.
void find_bounds_by_level(Outcome& outcome) {
  const Scenario& scenario = outcome.scenario;
  if (scenario.ports != 1 || scenario.unit_bytes != 0) return;
  try {
    const auto tree = level_tree_of(scenario);
    outcome.lower_bound = std::max(*outcome.lower_bound, tree->lower_bound());
    const bool is_offered = scenario.operation->has(Algorithm::Name::kLevelTree);
    if (is_offered && tree->is_proved_optimal()) outcome.optimum = tree->time();
  } catch (const std::invalid_argument&) {
    // Too large a box for such a tree: the bound for the least λ stays.
  }
}

Cost cost_of(const Scenario& scenario, const TimeModel& model) {
  const auto bytes = static_cast<std::int64_t>(scenario.block_bytes);
  if (scenario.algorithm != Algorithm::level_tree || !has_levels(scenario)) {
    return scenario.operation->cost(scenario.processors, bytes, scenario.algorithm, &model);
  }
  const int rounds = level_tree_of(scenario)->rounds();
  return {rounds, rounds * bytes};
}

/// Whether one of the operation's algorithms takes T_λ(p).
bool is_known_to_be_reached(const Scenario& scenario) {
  using Bound = SimulatedOperation::Bound;
  if (scenario.ports != 1 || scenario.unit_bytes != 0 || scenario.lambda_of_pair) return false;
  const Bound bound = scenario.operation->bound;
  return bound == Bound::kOptimal || (bound == Bound::kReachWhole && scenario.lambda.is_whole());
}

void find_bounds(Outcome& outcome) {
  const Scenario& scenario = outcome.scenario;
  if (const auto least_cost = scenario.operation->least_cost; least_cost != nullptr) {
    outcome.ports_of_least_cost =
        std::max(scenario.ports, ports_of_cost(scenario.algorithm, scenario.processors));
    outcome.least_cost =
        least_cost(scenario.processors, static_cast<std::int64_t>(scenario.block_bytes),
                   outcome.ports_of_least_cost);
  }
  if (scenario.operation->bound == SimulatedOperation::Bound::kNone) return;
  const PostalModel model(scenario.lambda, scenario.ports);
  outcome.lower_bound = model.time(scenario.processors);
  if (is_known_to_be_reached(scenario)) outcome.optimum = outcome.lower_bound;
  if (has_levels(scenario)) find_bounds_by_level(outcome);
}

template <class Program>
void run_in_virtual_time(const Program& program, Outcome& outcome) {
  const Scenario& scenario = outcome.scenario;
  const auto clock =
      std::make_shared<VirtualClock>(parameters_of(scenario), scenario.ticks_per_unit);
  if (is_light(scenario)) {
    const Payload payload = scenario.sizes_only ? Payload::none : Payload::copy;
    LightMachine(scenario.processors, clock, payload).run(program);
  } else {
    Machine machine({.processors = scenario.processors, .clock = clock, .trace = scenario.trace});
    machine.run(program);
    if (scenario.trace) outcome.trace = machine.trace();
  }
  outcome.time = clock->finish();
}

struct RealRun {
  Time time{};
  decltype(Outcome::trace) trace;
};

// The median of some runs, and its trace.
template <class Program>
void run_in_real_time(const Program& program, Outcome& outcome) {
  const Scenario& scenario = outcome.scenario;
  const auto clock = std::make_shared<PostalClock>(parameters_of(scenario), scenario.t0);
  Machine machine({.processors = scenario.processors, .clock = clock, .trace = scenario.trace});
  std::vector<Time> ends(static_cast<std::size_t>(scenario.processors));
  std::array<RealRun, kRealRuns> runs;
  const auto timed = [&](Processor& self) {
    program(self);
    ends[static_cast<std::size_t>(self.id())] = self.now();
  };
  machine.run(timed);
  for (RealRun& run : runs) {
    machine.run(timed);
    run.time = *std::ranges::max_element(ends);
    if (scenario.trace) run.trace = machine.trace();
  }
  std::ranges::sort(runs, {}, &RealRun::time);
  RealRun& median = runs[kRealRuns / 2];
  outcome.time = clock->units(median.time);
  outcome.trace = std::move(median.trace);
}

OperationTurn turn_of(const Scenario& scenario, int processor) {
  return {.me = processor,
          .processors = scenario.processors,
          .root = scenario.root,
          .block_bytes = scenario.block_bytes};
}

/// Calls `run` with the program of the scenario.
template <class Run>
void with_program(const Scenario& scenario, Run run) {
  const SimulatedOperation& operation = *scenario.operation;
  if (!scenario.sizes_only) {
    return run([&](Processor& self) {
      operation.run(self, scenario.root, scenario.block_bytes, scenario.algorithm);
    });
  }
  // What is in the lists matters to nobody, so all processors have the same: the root's are longer.
  OperationData of_root;
  OperationData of_others;
  operation.prepare(turn_of(scenario, scenario.root), of_root);
  operation.prepare(turn_of(scenario, scenario.root == 0 ? 1 : 0), of_others);
  run([&](Processor& self) {
    operation.call(self, turn_of(scenario, self.id()),
                   self.id() == scenario.root ? of_root : of_others, scenario.algorithm);
  });
}

}  // namespace

void check_room_for(const Scenario& scenario) {
  const SimulatedOperation& operation = *scenario.operation;
  const std::uint64_t of_processor = !is_light(scenario) ? kBytesOfProcessor
                                     : operation.one_way ? kBytesWithoutStack
                                                         : kBytesWithStack;
  const std::uint64_t each = of_processor + bytes_of_ports(scenario.ports);
  if (is_without_lists(scenario)) {
    check_room(operation, scenario.processors, 0, each + shared_bytes_of_processor(scenario));
  } else {
    check_room(operation, scenario.processors, scenario.block_bytes, each);
  }
}

namespace {

Outcome outcome_of(const Scenario& scenario) {
  const SimulatedOperation& operation = *scenario.operation;
  Outcome outcome;
  outcome.scenario = scenario;
  const TimeModel model = TimeModel::of(parameters_of(scenario), scenario.processors);
  if (scenario.algorithm == Algorithm::automatic) {
    outcome.scenario.algorithm = operation.chosen(
        scenario.processors, static_cast<std::int64_t>(scenario.block_bytes), &model);
  }
  outcome.cost = cost_of(outcome.scenario, model);
  find_bounds(outcome);
  with_program(scenario, [&](const auto& program) {
    try {
      if (scenario.t0.count() == 0) {
        run_in_virtual_time(program, outcome);
      } else {
        run_in_real_time(program, outcome);
      }
    } catch (const ProcessorError& error) {
      std::rethrow_exception(error.cause());
    }
  });
  const bool is_exact = scenario.t0.count() == 0;
  if (is_exact && outcome.time == outcome.lower_bound) outcome.optimum = outcome.lower_bound;
  return outcome;
}

/// Which options make times larger than a clock can count.
std::string beyond_the_clock(const Scenario& scenario) {
  std::string options = fmt::format("--lambda {}", to_string(scenario.lambda));
  if (scenario.unit_bytes != 0) {
    options += fmt::format(", --unit {} with blocks of {}", scenario.unit_bytes,
                           counted(static_cast<std::int64_t>(scenario.block_bytes), "byte"));
  }
  const VirtualClock clock(parameters_of(scenario), scenario.ticks_per_unit);
  return fmt::format("{}: {} takes longer on {}; at most {} units can be counted", options,
                     to_string(scenario.algorithm), counted(scenario.processors, "processor"),
                     std::numeric_limits<Time>::max() / std::max(clock.ticks_per_unit(), Time{1}));
}

}  // namespace

Outcome simulate(const Scenario& scenario) {
  check_room_for(scenario);
  try {
    return outcome_of(scenario);
  } catch (const std::overflow_error&) {
    if (scenario.t0.count() != 0) throw;  // says what is wrong itself
    throw UsageError(beyond_the_clock(scenario));
  }
}

}  // namespace postroom::cli
