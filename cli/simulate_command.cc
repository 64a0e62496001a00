#include "cli/simulate_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <utility>
#include <vector>

#include "cli/command_line.h"
#include "cli/failure.h"
#include "cli/fat_tree_simulation.h"
#include "cli/output.h"
#include "cli/postal_arguments.h"
#include "cli/simulated_operation.h"
#include "cli/simulation.h"
#include "cli/text_table.h"
#include "numa/fat_tree.h"
#include "numa/fat_tree_picture.h"
#include "runtime/latency_by_level.h"
#include "runtime/trace_json.h"
#include "runtime/trace_svg.h"

namespace postroom::cli {
namespace {

constexpr int kMostProcessors = 1'000'000;
constexpr int kMostPorts = 1000;
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 40U;
constexpr const char* kSummary =
    "Runs a collective on a machine of the postal model, in virtual or in real time.";
constexpr const char* kFooter =
    "Without --algorithm all algorithms of the operation are run, as a table. An algorithm may "
    "bring\n"
    "its own parameters: 'bruck(radix=4, ports=2)'. The time is in units of what a sender needs "
    "for\n"
    "one message, exact; rounds and volume are C1 and C2 of the round model, the volume in "
    "bytes.\n\n"
    "  postroom simulate broadcast -p 64 --lambda 9/5\n"
    "  postroom simulate broadcast --algorithm lambda_tree -p 14 --lambda 5/2 --svg tree.svg\n"
    "  postroom simulate alltoall --algorithm bruck -p 64 --radix 4 --ports 3 --block 16\n"
    "  postroom simulate alltoall -p 64 --fat-tree exponential\n"
    "  postroom simulate broadcast -p 64 --lambda 9/5 --t0 1ms";

struct Words {
  std::optional<std::string> operation, algorithm, processors, lambda, ports, radix, blocks, block,
      lambda_per_level, unit, t0, root, fat_tree, svg, trace, json;
  bool help = false;
};

std::string operation_names() {
  std::string names;
  for (const SimulatedOperation& operation : simulated_operations()) {
    names += (names.empty() ? "" : ", ") + std::string(operation.name);
  }
  return names;
}

void declare(CommandLine& line, Words& words) {
  line.operand(words.operation, "OPERATION", operation_names());
  line.heading("The program");
  line.value("--algorithm", words.algorithm, "NAME", "lambda_tree, binomial, bruck, … (all)");
  line.value("--radix", words.radix, "R", "for algorithms that have one (2)");
  line.value("--blocks", words.blocks, "N", "for algorithms that cut a list into blocks (1)");
  line.value("--block", words.block, "BYTES", "the list, or one processor's part of it (1)");
  line.value("--root", words.root, "I", "for operations that have one (0)");

  line.heading("The machine");
  line.value("-p,--processors", words.processors, "P", "how many processors (8)");
  line.value("--lambda", words.lambda, "L", "the latency: 2, 1.8, 9/5 (1)");
  line.value("--lambda-per-level", words.lambda_per_level, "L,L,…",
             "a latency for each level of a binary tree of the processors, from the lowest up");
  line.value("--ports", words.ports, "K",
             "messages that a processor sends, and receives, at a time (1)");
  line.value("--unit", words.unit, "BYTES",
             "a message of m bytes costs m / BYTES units, rounded up; otherwise each costs one");

  line.value("--t0", words.t0, "TIME",
             "in real time, a unit taking so long: 200us, 1ms; the median of five runs");
  line.value("--fat-tree", words.fat_tree, "TREE",
             "count steps on a fat tree instead, packet by packet: 'constant', 'exponential', the "
             "capacities of its levels as '1,2,4', or 'box'");

  line.heading("What is written");
  line.value("--svg", words.svg, "FILE", "the run as a space-time diagram; needs --algorithm");
  line.value("--trace", words.trace, "FILE", "the run in Chrome's trace format; needs --algorithm");
  line.value("--json", words.json, "FILE", "the figures as JSON ('-': standard output)");
  line.flag("-h,--help", words.help, "show this");
  line.footer(kFooter);
}

template <class Number>
void set(Number& value, std::string_view option, const std::optional<std::string>& text,
         std::uint64_t least, std::uint64_t most) {
  if (text) value = static_cast<Number>(whole_number(option, *text, least, most));
}

struct Wanted {
  Scenario scenario;  // without the algorithm
  std::optional<int> radix, blocks;
  std::vector<Algorithm> algorithms;
  /// Of [F], where a fat tree is wanted.
  std::vector<std::string> tree_algorithms;
  bool all = false;
};

/// The machine's λ and ports, and what the options say, for an algorithm that was named without
/// parameters.
Algorithm tuned(Algorithm algorithm, const Wanted& wanted) {
  if (algorithm.latency != Rational(0)) algorithm.latency = wanted.scenario.lambda;
  if (algorithm.ports != 0) algorithm.ports = wanted.scenario.ports;
  if (algorithm.radix != 0 && wanted.radix) algorithm.radix = *wanted.radix;
  if (algorithm.blocks != 0 && wanted.blocks) algorithm.blocks = *wanted.blocks;
  return algorithm;
}

/// Whether the packet model has a schedule for what is wanted, or for some of it.
bool choose_tree_algorithms(Wanted& wanted, const Words& words) {
  for (const std::string_view name : tree_algorithms(wanted.scenario.operation->name)) {
    if (!words.algorithm || *words.algorithm == name) wanted.tree_algorithms.emplace_back(name);
  }
  return words.algorithm && !wanted.tree_algorithms.empty();
}

void choose_algorithms(Wanted& wanted, const Words& words) {
  wanted.all = !words.algorithm;
  if (words.fat_tree && choose_tree_algorithms(wanted, words)) return;
  if (wanted.all) {
    for (const Algorithm& each : wanted.scenario.operation->algorithms()) {
      // A machine of the model has no shared memory.
      if (each != Algorithm::shared) wanted.algorithms.push_back(tuned(each, wanted));
    }
    return;
  }
  const Algorithm named = parse_algorithm(*words.algorithm);
  if (words.algorithm->find('(') != std::string::npos) {
    wanted.algorithms = {named};
    return;
  }
  if (words.radix && named.radix == 0) {
    throw UsageError(fmt::format("--radix: {} has none", *words.algorithm));
  }
  if (words.blocks && named.blocks == 0) {
    throw UsageError(fmt::format("--blocks: {} has none", *words.algorithm));
  }
  wanted.algorithms = {tuned(named, wanted)};
}

void set_lambda_per_level(Scenario& scenario, const Words& words) {
  if (words.lambda) throw UsageError("--lambda and --lambda-per-level contradict each other");
  std::vector<Rational> by_level;
  std::stringstream list(*words.lambda_per_level);
  for (std::string word; std::getline(list, word, ',');) {
    by_level.push_back(latency_of("--lambda-per-level", word));
  }
  const FatTree tree = FatTree::balanced(scenario.processors);
  if (static_cast<int>(by_level.size()) != tree.levels()) {
    throw UsageError(
        fmt::format("--lambda-per-level: {} values are not allowed; {} processors have "
                    "{} levels",
                    by_level.size(), scenario.processors, tree.levels()));
  }
  scenario.lambda_of_pair = latency_by_level(tree, by_level);
  if (!by_level.empty()) scenario.lambda = by_level.front();
}

Wanted wanted_of(const Words& words) {
  if (!words.operation) throw UsageError("OPERATION is missing: one of " + operation_names());
  Wanted wanted;
  Scenario& scenario = wanted.scenario;
  scenario.operation = &simulated_operation(*words.operation);
  scenario.processors = 8;
  set(scenario.processors, "--processors", words.processors, 1, kMostProcessors);
  if (words.lambda) scenario.lambda = latency_of("--lambda", *words.lambda);
  if (words.lambda_per_level) set_lambda_per_level(scenario, words);
  set(scenario.ports, "--ports", words.ports, 1, kMostPorts);
  set(scenario.block_bytes, "--block", words.block, 0, kMostBytes);
  if (words.t0) scenario.t0 = duration_of("--t0", *words.t0);
  if (words.t0 && words.fat_tree) throw UsageError("--t0 and --fat-tree contradict each other");
  set(scenario.unit_bytes, "--unit", words.unit, 1, kMostBytes);
  if (words.root && !scenario.operation->has_root) {
    throw UsageError(fmt::format("--root: {} has none", scenario.operation->name));
  }
  set(scenario.root, "--root", words.root, 0, static_cast<std::uint64_t>(scenario.processors - 1));
  if (words.radix) set(wanted.radix.emplace(), "--radix", words.radix, 2, kMostProcessors);
  if (words.blocks) set(wanted.blocks.emplace(), "--blocks", words.blocks, 1, kMostProcessors);
  choose_algorithms(wanted, words);
  scenario.trace = !words.fat_tree && (words.svg || words.trace);
  if (scenario.trace && wanted.all) {
    throw UsageError("--svg and --trace need --algorithm: they show one run");
  }
  return wanted;
}

std::string base_name(const Algorithm& algorithm) {
  const std::string name = to_string(algorithm);
  return name.substr(0, name.find('('));
}

template <class T>
nlohmann::ordered_json or_null(const std::optional<T>& value) {
  return value ? nlohmann::ordered_json(to_string(*value)) : nlohmann::ordered_json();
}

nlohmann::ordered_json to_json(const Outcome& outcome) {
  const Scenario& scenario = outcome.scenario;
  nlohmann::ordered_json json = {{"operation", scenario.operation->name},
                                 {"algorithm", base_name(scenario.algorithm)},
                                 {"variant", to_string(scenario.algorithm)},
                                 {"processors", scenario.processors},
                                 {"lambda", to_string(scenario.lambda)},
                                 {"ports", scenario.ports},
                                 {"block_bytes", scenario.block_bytes},
                                 {"rounds", outcome.cost.rounds},
                                 {"volume", outcome.cost.bytes},
                                 {"time", to_string(outcome.time)},
                                 {"optimum", or_null(outcome.optimum)},
                                 {"lower_bound", or_null(outcome.lower_bound)}};
  if (scenario.lambda_of_pair) json["lambda_depends_on_level"] = true;
  if (scenario.t0.count() != 0) json["t0_ns"] = scenario.t0.count();
  if (scenario.unit_bytes != 0) json["unit_bytes"] = scenario.unit_bytes;
  if (scenario.operation->has_root) json["root"] = scenario.root;
  return json;
}

std::string in_words(const Rational& time) {
  if (time.is_whole()) return to_string(time);
  return fmt::format("{} = {:.6g}", to_string(time), time.to_double());
}

std::string title_of(const Scenario& scenario) {
  return fmt::format(
      "{}, {} processor{}, lambda {}{}, {} port{}, {} byte{}", scenario.operation->name,
      scenario.processors, scenario.processors == 1 ? "" : "s", to_string(scenario.lambda),
      scenario.lambda_of_pair ? " and more" : "", scenario.ports, scenario.ports == 1 ? "" : "s",
      scenario.block_bytes, scenario.block_bytes == 1 ? "" : "s");
}

std::string bounds_in_words(const Outcome& outcome) {
  if (outcome.optimum) return fmt::format("least time {}\n", in_words(*outcome.optimum));
  if (outcome.lower_bound) {
    return fmt::format("no algorithm takes less than {}\n", in_words(*outcome.lower_bound));
  }
  return "";
}

std::string to_text(const std::vector<Outcome>& outcomes) {
  std::string text = "# " + title_of(outcomes.front().scenario) + "\n";
  if (const std::string bounds = bounds_in_words(outcomes.front()); !bounds.empty()) {
    text += "# " + bounds;
  }
  TextTable table({"algorithm", "rounds", "volume", "time", "decimal"});
  for (const Outcome& outcome : outcomes) {
    table.row({to_string(outcome.scenario.algorithm), outcome.cost.rounds, outcome.cost.bytes,
               to_string(outcome.time), fmt::format("{:.6g}", outcome.time.to_double())});
  }
  return text + table.to_text();
}

/// All that can be run; what cannot is told in a line on standard error.
std::vector<Outcome> run_all(const Wanted& wanted) {
  std::vector<Outcome> outcomes;
  for (const Algorithm& algorithm : wanted.algorithms) {
    Scenario scenario = wanted.scenario;
    scenario.algorithm = algorithm;
    try {
      outcomes.push_back(simulate(scenario));
    } catch (const std::invalid_argument& error) {
      if (!wanted.all) throw;
      tell(fmt::format("postroom simulate: left out: {}\n", one_line(error.what())));
    }
  }
  if (outcomes.empty()) throw UsageError("no algorithm runs with these parameters");
  return outcomes;
}

template <class Write>
void write_picture(Output& file, const Outcome& outcome, Write write) {
  std::ostringstream text;
  write(text, outcome);
  file.write_and_finish(text.str());
}

nlohmann::ordered_json to_json(const TreeOutcome& outcome, const Wanted& wanted,
                               const FatTree& tree) {
  const auto number_or_null = [](const std::optional<std::int64_t>& value) {
    return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
  };
  auto queues = nlohmann::ordered_json::array();
  for (std::size_t level = 1; level <= outcome.report.largest_queue.size(); ++level) {
    const UpDown& queue = outcome.report.largest_queue[level - 1];
    queues.push_back({{"level", level}, {"up", queue.up}, {"down", queue.down}});
  }
  return {{"operation", wanted.scenario.operation->name},
          {"algorithm", outcome.algorithm.substr(0, outcome.algorithm.find('('))},
          {"variant", outcome.algorithm},
          {"processors", wanted.scenario.processors},
          {"capacities", tree.capacities()},
          {"steps", outcome.report.steps},
          {"formula", number_or_null(outcome.formula)},
          {"lower_bound", number_or_null(outcome.lower_bound)},
          {"packets", outcome.report.packets},
          {"largest_queues", queues}};
}

std::string to_text(const std::vector<TreeOutcome>& outcomes, const Wanted& wanted,
                    const FatTree& tree) {
  std::string text =
      fmt::format("# {}, {} processors, capacities {}\n", wanted.scenario.operation->name,
                  wanted.scenario.processors, fmt::join(tree.capacities(), ","));
  if (outcomes.front().lower_bound) {
    text += fmt::format("# no algorithm takes less than {} steps\n", *outcomes.front().lower_bound);
  }
  TextTable table({"algorithm", "steps", "formula", "packets", "queue_up", "queue_down"});
  for (const TreeOutcome& outcome : outcomes) {
    UpDown queue{};
    for (const UpDown& each : outcome.report.largest_queue) {
      queue.up = std::max(queue.up, each.up);
      queue.down = std::max(queue.down, each.down);
    }
    table.row({outcome.algorithm, outcome.report.steps,
               outcome.formula ? TextTable::Cell(*outcome.formula) : TextTable::Cell(),
               outcome.report.packets, queue.up, queue.down});
  }
  return text + table.to_text();
}

std::vector<TreeOutcome> run_all_on(const FatTree& tree, const Wanted& wanted) {
  std::vector<TreeOutcome> outcomes;
  for (const std::string& name : wanted.tree_algorithms) {
    outcomes.push_back(study_on_tree(wanted.scenario, name, tree));
  }
  for (const Algorithm& algorithm : wanted.algorithms) {
    // The program of a schedule that is there already.
    if (std::ranges::find(wanted.tree_algorithms, to_string(algorithm)) !=
        wanted.tree_algorithms.end()) {
      continue;
    }
    Scenario scenario = wanted.scenario;
    scenario.algorithm = algorithm;
    try {
      outcomes.push_back(replay_on_tree(scenario, tree));
    } catch (const std::invalid_argument& error) {
      if (!wanted.all) throw;
      tell(fmt::format("postroom simulate: left out: {}\n", one_line(error.what())));
    }
  }
  if (outcomes.empty()) throw UsageError("no algorithm runs with these parameters");
  return outcomes;
}

void run_on_tree(const Wanted& wanted, const Words& words) {
  if (words.trace) throw UsageError("--fat-tree and --trace contradict each other");
  if (words.svg && wanted.all) throw UsageError("--svg needs --algorithm: it shows one run");
  const FatTree tree = parse_fat_tree(*words.fat_tree, wanted.scenario.processors);
  std::optional<Output> svg;
  std::optional<Output> json;
  if (words.svg) svg.emplace(*words.svg);
  if (words.json) json.emplace(*words.json);
  const std::vector<TreeOutcome> outcomes = run_all_on(tree, wanted);
  if (words.json != "-") print(to_text(outcomes, wanted, tree));
  if (json) {
    auto list = nlohmann::ordered_json::array();
    for (const TreeOutcome& outcome : outcomes) list.push_back(to_json(outcome, wanted, tree));
    json->write_and_finish((wanted.all ? list : list.front()).dump(2) + "\n");
  }
  if (svg) {
    FatTreePanel panel = load_panel(tree, outcomes.front().report);
    panel.title = fmt::format("{} {}", wanted.scenario.operation->name, outcomes.front().algorithm);
    svg->write_and_finish(fat_tree_svg({panel}));
  }
}

}  // namespace

std::string simulate_help() {
  CommandLine line("simulate", kSummary);
  Words words;
  declare(line, words);
  return line.help();
}

int run_simulate(std::span<const std::string> given) {
  CommandLine line("simulate", kSummary);
  Words words;
  declare(line, words);
  line.parse(given);
  if (words.help) {
    print(simulate_help());
    return 0;
  }
  const Wanted wanted = wanted_of(words);
  if (words.fat_tree) {
    run_on_tree(wanted, words);
    return 0;
  }
  std::optional<Output> svg;
  std::optional<Output> trace;
  std::optional<Output> json;
  if (words.svg) svg.emplace(*words.svg);
  if (words.trace) trace.emplace(*words.trace);
  if (words.json) json.emplace(*words.json);
  const std::vector<Outcome> outcomes = run_all(wanted);
  if (words.json != "-") print(to_text(outcomes));
  if (json) {
    auto list = nlohmann::ordered_json::array();
    for (const Outcome& outcome : outcomes) list.push_back(to_json(outcome));
    json->write_and_finish((wanted.all ? list : list.front()).dump(2) + "\n");
  }
  if (svg) {
    write_picture(*svg, outcomes.front(), [](std::ostream& out, const Outcome& outcome) {
      write_svg(out, outcome.trace,
                {.title = fmt::format("{}: {}", to_string(outcome.scenario.algorithm),
                                      title_of(outcome.scenario))});
    });
  }
  if (trace) {
    write_picture(*trace, outcomes.front(), [](std::ostream& out, const Outcome& outcome) {
      write_chrome_trace(out, outcome.trace);
    });
  }
  return 0;
}

}  // namespace postroom::cli
