#include "cli/simulate/simulate_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "cli/common/failure.h"
#include "cli/common/json_text.h"
#include "cli/common/progress.h"
#include "cli/files/outputs.h"
#include "cli/simulate/fat_tree_page.h"
#include "cli/simulate/fat_tree_report.h"
#include "cli/simulate/fat_tree_simulation.h"
#include "cli/simulate/simulate_arguments.h"
#include "cli/simulate/simulation.h"
#include "cli/simulate/simulation_report.h"
#include "fat_trees/fat_tree_film.h"
#include "fat_trees/fat_tree_picture.h"
#include "runtime/rational.h"
#include "runtime/trace_html.h"
#include "runtime/trace_json.h"
#include "runtime/trace_svg.h"

namespace postroom::cli {
namespace {

Outputs outputs_of(const SimulateArguments& arguments) {
  Outputs outputs({{"--svg", arguments.svg},
                   {"--html", arguments.html},
                   {"--trace", arguments.trace},
                   {"--json", arguments.json}});
  if (arguments.topology && arguments.topology->ends_with(".xml"))
    outputs.spare("--topology", *arguments.topology);
  return outputs;
}

/// "2 of 9: binomial".
void show_next(Progress& progress, const SimulateArguments& arguments, std::size_t done,
               const std::string& algorithm) {
  const std::size_t all = arguments.tree_algorithms.size() + arguments.algorithms.size();
  progress.name(fmt::format("{} of {}: {}", done + 1, all, algorithm));
  progress.set(done);
}

/// Adds run(scenario) for every algorithm that is wanted and not `skipped`. One that does not work
/// with these parameters is an error where it was asked for; where all were, a line on standard
/// error. What all have in common is said once.
template <class Outcomes, class Run, class Skipped>
void run_each(const SimulateArguments& arguments, Outcomes& outcomes, Progress& progress, Run run,
              Skipped skipped) {
  std::vector<std::string> refusals;
  std::size_t done = arguments.tree_algorithms.size();
  for (const Algorithm& algorithm : arguments.algorithms) {
    show_next(progress, arguments, done++, to_string(algorithm));
    if (skipped(algorithm)) continue;
    Scenario scenario = arguments.scenario;
    scenario.algorithm = algorithm;
    try {
      outcomes.push_back(run(scenario));
    } catch (const std::invalid_argument& error) {
      if (!arguments.all) throw;
      refusals.emplace_back(error.what());
    }
  }
  progress.finish();
  if (outcomes.empty() &&
      std::ranges::adjacent_find(refusals, std::ranges::not_equal_to()) == refusals.end()) {
    throw UsageError(refusals.empty() ? "no algorithm runs with these parameters"
                                      : refusals.front());
  }
  for (const std::string& refusal : refusals) {
    tell(fmt::format("postroom simulate: left out: {}\n", one_line(refusal)));
  }
  if (outcomes.empty()) throw UsageError("no algorithm runs with these parameters");
}

template <class Outcomes, class ToJson>
void write_json(const SimulateArguments& arguments, Outputs& outputs, const Outcomes& outcomes,
                ToJson to_json_of) {
  if (!outputs.has("--json")) return;
  auto list = nlohmann::ordered_json::array();
  for (const auto& outcome : outcomes) list.push_back(to_json_of(outcome));
  outputs.write("--json", json_text(arguments.all ? list : list.front()));
}

/// What one of them reaches is the least time of all.
void share_optimum(std::vector<Outcome>& outcomes) {
  const auto reached = std::ranges::find_if(
      outcomes, [](const Outcome& outcome) { return outcome.optimum.has_value(); });
  if (reached == outcomes.end()) return;
  const std::optional<Rational> optimum = reached->optimum;
  for (Outcome& outcome : outcomes) outcome.optimum = optimum;
}

/// Before anything is written.
void check_page(const Trace& trace) {
  if (trace.messages().size() <= kMostMessagesOfPage) return;
  throw UsageError(fmt::format("--html: {} messages are too many to look at; at most {}",
                               trace.messages().size(), kMostMessagesOfPage));
}

void run_in_model(const SimulateArguments& arguments) {
  Outputs outputs = outputs_of(arguments);
  std::vector<Outcome> outcomes;
  Progress progress(true);
  progress.begin("simulating", arguments.algorithms.size());
  run_each(arguments, outcomes, progress, simulate, [](const Algorithm&) { return false; });
  share_optimum(outcomes);
  const Outcome& first = outcomes.front();
  if (outputs.has("--html")) check_page(first.trace);
  const std::string title =
      fmt::format("{}: {}", to_string(first.scenario.algorithm), title_of(first.scenario));
  write_json(arguments, outputs, outcomes, [](const Outcome& outcome) { return to_json(outcome); });
  outputs.write("--svg", [&](std::ostream& out) { write_svg(out, first.trace, {.title = title}); });
  outputs.write("--html",
                [&](std::ostream& out) { write_html(out, first.trace, {.title = title}); });
  outputs.write("--trace", [&](std::ostream& out) { write_chrome_trace(out, first.trace); });
  outputs.finish(to_text(outcomes));
}

void run_on_tree(const SimulateArguments& arguments) {
  const Scenario& scenario = arguments.scenario;
  check_room_on_tree(scenario, !arguments.algorithms.empty());
  Progress progress(true);
  progress.begin("simulating", arguments.tree_algorithms.size() + arguments.algorithms.size());
  const FatTree tree = make_fat_tree(*arguments.fat_tree, scenario.processors);
  const Duplex duplex = arguments.fat_tree->duplex;
  Outputs outputs = outputs_of(arguments);
  std::vector<TreeOutcome> outcomes;
  FatTreeFilm film;
  const StepObserver after_step = outputs.has("--html") ? film.observer() : StepObserver();
  for (const std::string& name : arguments.tree_algorithms) {
    show_next(progress, arguments, outcomes.size(), name);
    outcomes.push_back(study_on_tree(scenario, name, tree, duplex, after_step));
  }
  run_each(
      arguments, outcomes, progress,
      [&](const Scenario& each) { return replay_on_tree(each, tree, duplex, after_step); },
      // The program of a schedule that is there already.
      [&](const Algorithm& algorithm) {
        return std::ranges::count(arguments.tree_algorithms, to_string(algorithm)) > 0;
      });
  const std::string title = fmt::format("{} {}, {}", scenario.operation->name,
                                        outcomes.front().algorithm, in_words(tree));
  // Before anything is written, since it may be too long.
  const std::string page = outputs.has("--html") ? fat_tree_page(tree, film, title) : "";
  write_json(arguments, outputs, outcomes,
             [&](const TreeOutcome& outcome) { return to_json(outcome, scenario, tree); });
  outputs.write("--html", page);
  if (outputs.has("--svg")) {
    FatTreePanel panel = load_panel(tree, outcomes.front().report);
    panel.title = title + ": " + panel.title;
    outputs.write("--svg", fat_tree_svg({panel}));
  }
  outputs.finish(to_text(outcomes, scenario, tree));
}

}  // namespace

int run_simulate(std::span<const std::string> words) {
  const SimulateArguments arguments = parse_simulate(words);
  if (arguments.fat_tree) {
    run_on_tree(arguments);
  } else {
    run_in_model(arguments);
  }
  return 0;
}

}  // namespace postroom::cli
