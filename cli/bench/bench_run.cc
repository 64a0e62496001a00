#include "cli/bench/bench_run.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <utility>

#include "cli/bench/bench_statistics.h"
#include "cli/common/failure.h"
#include "cli/common/this_box.h"
#include "cli/simulate/simulation.h"
#include "collectives/models/profile.h"
#include "collectives/models/time_model.h"
#include "runtime/postal_clock.h"

namespace postroom::cli {
namespace {

using Clock = BenchMachine::Clock;

// In how many turns the algorithms of a cell share the wall clock.
constexpr int kTurns = 5;
// A box is called noisy when the quartiles of half the rows are further apart than this part of
// the median.
constexpr double kNoisySpread = 0.25;
// Of progress.
constexpr std::uint64_t kStepsOfCell = 1000;

std::uint64_t bytes_of_processor(const BenchMachine& machine) {
  return kBytesOfProcessor + (machine.is_model() ? bytes_of_ports(machine.ports) : 0);
}

double part(std::size_t done, std::size_t all) {
  return static_cast<double>(done) / static_cast<double>(all);
}

MachineOptions options_of(const BenchMachine& machine) {
  MachineOptions options{.processors = machine.processors};
  if (machine.schedule_seed != 0) {
    options.threads = 1;
    options.schedule_seed = machine.schedule_seed;
  }
  if (machine.clock == Clock::kPostal) {
    options.clock = std::make_shared<PostalClock>(
        PostalParameters{
            .lambda = machine.lambda, .ports = machine.ports, .unit_bytes = machine.unit_bytes},
        machine.t0);
  }
  return options;
}

TimeModel model_of(const BenchMachine& machine) {
  if (!machine.is_model()) return box_profile().model(machine.processors);
  return TimeModel::postal(machine.lambda, static_cast<double>(machine.t0.count()),
                           machine.unit_bytes, machine.ports);
}

/// The algorithms to measure for an operation: those that were named, or all, and what is chosen.
std::vector<Algorithm> candidates(const BenchArguments& arguments,
                                  const SimulatedOperation& operation, const Algorithm& chosen) {
  const BenchMachine& machine = arguments.machine;
  std::vector<Algorithm> list;
  const auto add = [&](const NamedAlgorithm& named) {
    const Algorithm algorithm = algorithm_on(machine, operation, named);
    if (std::ranges::count(list, algorithm) == 0) list.push_back(algorithm);
  };
  for (const NamedAlgorithm& named : arguments.algorithms) {
    if (operation.has(named.algorithm.name)) add(named);
  }
  if (!list.empty()) return list;
  for (const Algorithm& each : operation.algorithms()) {
    if (needs_levels(each)) continue;
    if (machine.is_model() && !operation.runs_in_model(each.name)) continue;
    add({each});
  }
  if (std::ranges::count(list, chosen) == 0) list.push_back(chosen);
  return list;
}

/// The best of the cell, all of them where several are; the regret of the choice in it.
std::optional<double> judge(std::vector<BenchRow>& cell, const Algorithm& chosen) {
  if (cell.empty()) return std::nullopt;
  const auto median = [](const BenchRow& row) { return row.summary.median; };
  const double least = std::ranges::min(cell, {}, median).summary.median;
  std::optional<double> regret;
  for (BenchRow& row : cell) {
    row.best = row.summary.median == least;
    row.chosen = row.algorithm == chosen;
    if (row.chosen && least > 0) regret = row.summary.median / least;
  }
  return regret;
}

std::optional<double> prediction_error(const std::vector<BenchRow>& rows) {
  std::vector<double> errors;
  for (const BenchRow& row : rows) {
    if (const auto error = row.error_percent()) errors.push_back(std::abs(*error));
  }
  return median_of(std::move(errors));
}

void note_noise(BenchResult& result) {
  std::vector<double> spreads;
  for (const BenchRow& row : result.rows) spreads.push_back(row.summary.spread());
  const std::optional<double> usual = median_of(std::move(spreads));
  if (!usual || *usual <= kNoisySpread) return;
  result.notes.push_back(fmt::format(
      "noisy: in half of the rows the quartiles are {:.0f} % of the median apart or more",
      *usual * 100));
}

}  // namespace

void add_notes(std::vector<std::string>& notes, const std::vector<std::string>& others) {
  for (const std::string& each : others) {
    if (std::ranges::count(notes, each) == 0) notes.push_back(each);
  }
}

std::optional<double> BenchRow::error_percent() const {
  if (!predicted_ns) return std::nullopt;
  if (summary.median == 0 && *predicted_ns == 0) return 0;
  // One processor has no messages, so there is nothing to predict.
  if (summary.median == 0 || *predicted_ns == 0) return std::nullopt;
  return (*predicted_ns / summary.median - 1) * 100;
}

Bench::Bench(const BenchArguments& arguments)
    : arguments_(arguments), model_(model_of(arguments.machine)) {
  const BenchMachine& machine = arguments.machine;
  if (!machine.is_real()) return;
  timer_ = std::make_unique<CallTimer>(options_of(machine));
  box_ = timer_->box();
}

Bench::~Bench() = default;

Algorithm Bench::choice(const SimulatedOperation& operation, std::size_t block_bytes) const {
  const BenchMachine& machine = arguments_.machine;
  if (!machine.is_model()) return timer_->chosen(operation, block_bytes);
  return operation.chosen(machine.processors, static_cast<std::int64_t>(block_bytes), &model_);
}

BenchedMachine Bench::machine() const {
  if (!timer_) return {.processors = arguments_.machine.processors, .threads = 1, .pinning = {}};
  const Machine& machine = timer_->machine();
  const bool pinned = arguments_.machine.schedule_seed == 0;
  return {machine.processors(), machine.threads(),
          pinned ? pinning_in_words(machine.placement()) : ""};
}

std::vector<std::string> Bench::notes() const {
  std::vector<std::string> notes = notes_;
  if (arguments_.machine.clock == Clock::kWall) {
    const Profile& profile = box_profile();
    notes.push_back(profile.measured
                        ? fmt::format("predicted from the profile of {}", profile.measured_at)
                        : "predicted from the built-in profile, not from this box; run postroom "
                          "measure");
    if (!profile.note.empty()) notes.push_back(profile.note);
  }
  if (!timer_) return notes;
  if (arguments_.machine.schedule_seed != 0) {
    notes.push_back(
        "one thread: the times are those of processors that take turns, and compare no "
        "algorithms");
    return notes;
  }
  for (const std::string& text : timer_->machine().notes()) notes.push_back(text);
  if (arguments_.machine.clock == Clock::kWall && timer_->machine().placement().oversubscribed) {
    notes.push_back(
        "more processors than CPUs: the times are those of processors that take turns, and "
        "compare no algorithms");
  }
  return notes;
}

void Bench::note(const std::string& text) { add_notes(notes_, {text}); }

std::vector<BenchRow> Bench::cell(const SimulatedOperation& operation, std::size_t block_bytes,
                                  const std::vector<Algorithm>& algorithms, const OnNext& on_next) {
  std::vector<BenchRow> rows;
  try {
    check_room(operation, arguments_.machine.processors, block_bytes,
               bytes_of_processor(arguments_.machine));
  } catch (const std::runtime_error& error) {
    note(fmt::format("left out: {} with {} bytes: {}", operation.name, block_bytes, error.what()));
    return rows;
  }
  for (const Algorithm& algorithm : algorithms) {
    BenchRow row{.operation = &operation,
                 .processors = arguments_.machine.processors,
                 .block_bytes = block_bytes,
                 .algorithm = algorithm};
    if (start(row)) rows.push_back(std::move(row));
  }
  if (timer_) {
    measure(rows, on_next);
  } else {
    measure_exactly(rows, on_next);
  }
  for (BenchRow& row : rows) row.summary = summarize(row.samples_ns);
  return rows;
}

/// What is known beforehand; whether it runs at all.
bool Bench::start(BenchRow& row) {
  const BenchMachine& machine = arguments_.machine;
  const auto bytes = static_cast<std::int64_t>(row.block_bytes);
  if (machine.is_model() && !row.operation->runs_in_model(row.algorithm.name)) {
    note(fmt::format("left out: {}: {} is not allowed; a model has no time for it",
                     row.operation->name, to_string(row.algorithm)));
    return false;
  }
  if (row.algorithm == Algorithm::teams) {
    if (box_) {
      row.cost = row.operation->cost_by_teams(*box_, bytes);
      return true;
    }
    // One team takes what another row has; by name it is measured all the same.
    if (arguments_.algorithms.empty()) return false;
  }
  try {
    row.cost = row.operation->cost(machine.processors, bytes, row.algorithm,
                                   machine.is_model() ? &model_ : nullptr);
    const double time = row.operation->time(machine.processors, bytes, row.algorithm, model_);
    if (std::isfinite(time)) row.predicted_ns = time;
  } catch (const std::invalid_argument& error) {
    note(fmt::format("left out: {}", one_line(error.what())));
    return false;
  } catch (const std::overflow_error& error) {
    note(fmt::format("left out: {}: {}: {}", row.operation->name, to_string(row.algorithm),
                     one_line(error.what())));
    return false;
  }
  return true;
}

void Bench::measure_exactly(std::vector<BenchRow>& rows, const OnNext& on_next) {
  std::vector<BenchRow> measured;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    on_next(rows[i].algorithm, part(i, rows.size()));
    try {
      measure_exactly(rows[i]);
      measured.push_back(std::move(rows[i]));
    } catch (const std::invalid_argument& error) {  // as of times that the clock cannot count
      note(fmt::format("left out: {}", one_line(error.what())));
    }
  }
  rows = std::move(measured);
}

void Bench::measure_exactly(BenchRow& row) const {
  const BenchMachine& machine = arguments_.machine;
  const Outcome outcome = simulate({.operation = row.operation,
                                    .algorithm = row.algorithm,
                                    .processors = machine.processors,
                                    .lambda = machine.lambda,
                                    .ports = machine.ports,
                                    .block_bytes = row.block_bytes,
                                    .unit_bytes = machine.unit_bytes,
                                    .root = row.operation->has_root ? arguments_.root : 0});
  row.exact = outcome.time;
  row.samples_ns = {outcome.time.to_double()};
}

void Bench::measure(std::vector<BenchRow>& rows, const OnNext& on_next) {
  const BenchMachine& machine = arguments_.machine;
  const bool at_once = machine.clock == Clock::kPostal || machine.schedule_seed != 0;
  const int turns = at_once ? 1 : std::min(kTurns, arguments_.iterations);
  for (int turn = 0; turn < turns; ++turn) {
    std::vector<BenchRow> measured;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      on_next(rows[i].algorithm, (turn + part(i, rows.size())) / turns);
      if (measure(rows[i], turn, turns)) measured.push_back(std::move(rows[i]));
    }
    rows = std::move(measured);
  }
}

/// Whether the operation takes the call. If not, that is noted, but for slots and turns that nobody
/// has named: they are not for all lists.
bool Bench::measure(BenchRow& row, int turn, int turns) {
  // As evenly as whole numbers allow.
  const int before = arguments_.iterations * turn / turns;
  const int after = arguments_.iterations * (turn + 1) / turns;
  try {
    const std::vector<double> times =
        timer_->time({.operation = row.operation,
                      .algorithm = row.algorithm,
                      .block_bytes = row.block_bytes,
                      .root = row.operation->has_root ? arguments_.root : 0,
                      .warm_up = turn == 0 ? arguments_.warm_up : std::min(2, arguments_.warm_up),
                      .iterations = after - before,
                      .limit = arguments_.limit / turns,
                      .check = arguments_.check});
    row.samples_ns.insert(row.samples_ns.end(), times.begin(), times.end());
    return true;
  } catch (const std::invalid_argument& error) {
    const bool is_no_message =
        row.algorithm == Algorithm::slots || row.algorithm == Algorithm::turns;
    if (!is_no_message || !arguments_.algorithms.empty()) {
      note(fmt::format("left out, p = {}: {}", arguments_.machine.processors,
                       one_line(error.what())));
    }
    return false;
  }
}

BenchResult run_bench(const BenchArguments& arguments, Progress& progress) {
  if (arguments.machine.is_real()) {
    // Before anything is measured.
    check_room(*arguments.operations.front(), arguments.processors.back(), 0,
               bytes_of_processor(arguments.machine));
  }
  BenchResult result;
  std::vector<double> regrets;
  std::uint64_t cells = 0;
  progress.begin("measuring", kStepsOfCell * arguments.processors.size() *
                                  arguments.operations.size() * arguments.sizes.size());
  for (const int processors : arguments.processors) {
    const BenchArguments one = on_processors(arguments, processors);
    Bench bench(one);
    for (const SimulatedOperation* operation : one.operations) {
      for (const std::size_t bytes : sizes_for(*operation, one)) {
        const Algorithm chosen = bench.choice(*operation, bytes);
        const auto on_next = [&](const Algorithm& algorithm, double done) {
          progress.name(fmt::format("{}: {}", operation->name, to_string(algorithm)));
          progress.set(cells * kStepsOfCell + static_cast<std::uint64_t>(done * kStepsOfCell));
        };
        std::vector<BenchRow> cell =
            bench.cell(*operation, bytes, candidates(one, *operation, chosen), on_next);
        if (const auto regret = judge(cell, chosen)) regrets.push_back(*regret);
        for (BenchRow& row : cell) result.rows.push_back(std::move(row));
        progress.set(++cells * kStepsOfCell);
      }
    }
    result.machines.push_back(bench.machine());
    add_notes(result.notes, bench.notes());
  }
  progress.finish();
  if (result.rows.empty()) {
    throw UsageError("no algorithm runs with these parameters" +
                     (result.notes.empty() ? "" : "; " + result.notes.front()));
  }
  // With --algorithm it would be that of those alone.
  if (arguments.algorithms.empty()) result.regret = geometric_mean(regrets);
  result.prediction_error_percent = prediction_error(result.rows);
  if (arguments.machine.clock == Clock::kWall) note_noise(result);
  return result;
}

}  // namespace postroom::cli
