#include "cli/simulate/simulate_arguments.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/common/command_line.h"
#include "cli/common/failure.h"
#include "cli/simulate/fat_tree_page.h"
#include "cli/simulate/fat_tree_simulation.h"
#include "cli/simulate/message_sizes.h"
#include "cli/simulate/named_algorithm.h"
#include "cli/simulate/postal_arguments.h"
#include "cli/simulate/simulated_operations.h"
#include "cli/simulate/simulation.h"
#include "fat_trees/fat_tree.h"
#include "numa/rounding.h"
#include "runtime/latency_by_level.h"
#include "runtime/rational.h"
#include "runtime/trace_html.h"
#include "runtime/virtual_clock.h"

namespace postroom::cli {
namespace {

constexpr int kMostProcessors = 1 << 24;
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
    "  postroom simulate broadcast -p 8 --lambda-per-level 2,2,5\n"
    "  postroom simulate alltoall --algorithm bruck -p 64 --radix 4 --ports 3 --block 16\n"
    "  postroom simulate alltoall -p 64 --fat-tree exponential\n"
    "  postroom simulate allgather -p 64 --fat-tree box --topology 'numa:8 core:8 pu:1'\n"
    "  postroom simulate alltoall --algorithm fat_tree -p 16 --fat-tree constant --html film.html\n"
    "  postroom simulate broadcast -p 64 --lambda 9/5 --t0 1ms";

struct Words {
  std::optional<std::string> operation, algorithm, processors, lambda, ports, radix, blocks, block,
      lambda_per_level, unit, t0, root, fat_tree, arity, topology, svg, html, trace, json;
  bool sizes_only = false, measure = false, half_duplex = false;
};

void declare(CommandLine& line, Words& words) {
  line.operand(words.operation, "OPERATION", operation_names());
  line.heading("The program");
  line.value("--algorithm", words.algorithm, "NAME", "lambda_tree, binomial, bruck, … (all)");
  line.value("--radix", words.radix, "R",
             "for algorithms that have one (of bruck K + 1, as of --ports; otherwise 2)");
  line.value("--blocks", words.blocks, "N",
             "for algorithms that cut a list into blocks (4, or as many as it has bytes or units)");
  line.value("-b,--block", words.block, "SIZE",
             "the list, or one processor's part of it: 8, 64K (1)");
  line.value("--root", words.root, "I", "for operations that have one (0)");

  line.heading("The machine");
  line.value("-p,--processors", words.processors, "P", "how many processors (8)");
  line.value("--lambda", words.lambda, "L", "the latency: 2, 1.8, 9/5 (1)");
  line.value("--lambda-per-level", words.lambda_per_level, "L,L,...",
             "a latency for each level of a binary tree of the processors, or of the box of "
             "--topology, from the lowest up");
  line.value("--ports", words.ports, "K",
             "messages that a processor sends, and receives, at a time (1)");
  line.value("--unit", words.unit, "BYTES",
             "a message of m bytes costs m / BYTES units, rounded up; otherwise each costs one");
  line.flag("--sizes-only", words.sizes_only,
            "messages have a size and no bytes: less memory and time, and no result to check");
  line.value("--t0", words.t0, "TIME",
             "in real time, a unit taking so long: 200us, 1ms; the median of five runs; needs "
             "--lambda");
  line.value("--fat-tree", words.fat_tree, "TREE",
             "count steps on a fat tree instead, packet by packet: 'constant', 'exponential', the "
             "capacities of its levels as '1,2,4', or 'box'");
  line.value("--arity", words.arity, "N",
             "children of each router of the fat tree, but of '--fat-tree box' (2)");
  line.flag("--half-duplex", words.half_duplex,
            "what goes up and down a branch of the fat tree shares its links");
  line.value(
      "--topology", words.topology, "TEXT",
      "the box of '--fat-tree box' or --lambda-per-level, as 'numa:8 core:8 pu:1' or a file from "
      "'lstopo FILE.xml' (this one)");
  line.flag("--measure", words.measure,
            "with '--fat-tree box': capacities from a short measurement, not from NUMA distances");

  line.heading("What is written");
  line.value(
      "--svg", words.svg, "FILE",
      "the run as a space-time diagram, or the fat tree (of up to 256 processors) with what its "
      "branches carried; needs --algorithm");
  line.value(
      "--html", words.html, "FILE",
      "the same as a film for a browser, and what each message waited for; needs --algorithm");
  line.value("--trace", words.trace, "FILE", "the run in Chrome's trace format; needs --algorithm");
  line.value("--json", words.json, "FILE", "the figures as JSON ('-': standard output)");
  line.footer(kFooter);
}

/// As many as make sense: no message costs less than a unit, and none is empty.
int usual_blocks(const Scenario& scenario) {
  constexpr std::size_t kUsual = 4;
  const std::size_t unit = std::max<std::size_t>(1, scenario.unit_bytes);
  return static_cast<int>(
      std::clamp<std::size_t>(ceil_divide(scenario.block_bytes, unit), 1, kUsual));
}

/// The machine's λ and ports, and what the options say, for an algorithm that was named without
/// parameters.
Algorithm tuned(Algorithm algorithm, const SimulateArguments& arguments) {
  const Scenario& scenario = arguments.scenario;
  algorithm = for_machine(algorithm, scenario.processors, scenario.lambda, scenario.ports);
  if (algorithm.radix != 0 && arguments.radix) algorithm.radix = *arguments.radix;
  if (algorithm.blocks != 0) algorithm.blocks = arguments.blocks.value_or(usual_blocks(scenario));
  return algorithm;
}

/// Whether the packet model has a schedule for what is wanted, or for some of it.
bool choose_tree_algorithms(SimulateArguments& arguments, const Words& words) {
  for (const std::string_view name : tree_algorithms(arguments.scenario.operation->name)) {
    if (!words.algorithm || *words.algorithm == name) arguments.tree_algorithms.emplace_back(name);
  }
  return words.algorithm && !arguments.tree_algorithms.empty();
}

/// Whether the algorithm was named with parameters.
bool has_parameters(const Words& words) { return words.algorithm->find('(') != std::string::npos; }

/// What is a parameter of an algorithm, and given beside it. Every machine has ports, but on a fat
/// tree they are the algorithm's alone.
struct GivenParameter {
  const char* option;
  std::string given;
  int Algorithm::*parameter;
};
std::vector<GivenParameter> given_parameters(const Words& words) {
  std::vector<GivenParameter> list;
  if (words.radix) list.push_back({"--radix", *words.radix, &Algorithm::radix});
  if (words.blocks) list.push_back({"--blocks", *words.blocks, &Algorithm::blocks});
  if (words.fat_tree && words.ports) list.push_back({"--ports", *words.ports, &Algorithm::ports});
  return list;
}

/// The algorithm has to have them, and they have to be given in one place.
void refuse_parameters(const Words& words, const Algorithm& named) {
  for (const auto& [option, given, parameter] : given_parameters(words)) {
    if (named.*parameter == 0) {
      throw UsageError(fmt::format("{}: {} has none", option, *words.algorithm));
    }
    if (!has_parameters(words)) continue;
    throw UsageError(fmt::format("{} {} and --algorithm {} contradict each other", option, given,
                                 in_quotes(*words.algorithm)));
  }
}

/// Of all algorithms of an operation one has to have them.
void refuse_parameters(const Words& words, const SimulateArguments& arguments) {
  for (const auto& [option, given, parameter] : given_parameters(words)) {
    const auto has = [&](const Algorithm& each) { return each.*parameter != 0; };
    if (std::ranges::any_of(arguments.algorithms, has)) continue;
    throw UsageError(fmt::format("{}: {} has none", option, arguments.scenario.operation->name));
  }
}

void choose_algorithms(SimulateArguments& arguments, const Words& words) {
  arguments.all = !words.algorithm;
  if (words.fat_tree && choose_tree_algorithms(arguments, words)) {
    refuse_parameters(words, Algorithm::automatic);
    return;
  }
  if (arguments.all) {
    const SimulatedOperation& operation = *arguments.scenario.operation;
    for (const Algorithm& each : operation.algorithms()) {
      if (!operation.runs_in_model(each.name)) continue;
      if (needs_levels(each) && !arguments.scenario.lambda_of_pair) continue;
      arguments.algorithms.push_back(tuned(each, arguments));
    }
    refuse_parameters(words, arguments);
    return;
  }
  const SimulatedOperation& operation = *arguments.scenario.operation;
  const auto of_tree =
      words.fat_tree ? tree_algorithms(operation.name) : std::vector<std::string_view>();
  const Algorithm named = named_algorithm(
      "--algorithm", *words.algorithm, operation,
      [&](const Algorithm& each) { return operation.runs_in_model(each.name); }, of_tree);
  if (named == Algorithm::machine) {
    throw UsageError(
        "--algorithm: machine is not allowed; it sends no messages, so a model has no "
        "time for it");
  }
  refuse_parameters(words, named);
  if (has_parameters(words)) {
    arguments.algorithms = {named};
    return;
  }
  arguments.algorithms = {tuned(named, arguments)};
}

/// Throws UsageError where it is larger than a clock takes.
Time common_denominator(const std::vector<Rational>& values) {
  Time common = 1;
  for (const Rational& value : values) {
    const Time factor = value.denominator() / std::gcd(common, value.denominator());
    if (factor > VirtualClock::kMostTicksPerUnit / common) {
      throw UsageError(fmt::format("--lambda-per-level: the common denominator is at most {}",
                                   VirtualClock::kMostTicksPerUnit));
    }
    common *= factor;
  }
  return common;
}

void set_lambda_per_level(Scenario& scenario, const Words& words) {
  contradict(words.lambda.has_value(), "--lambda", "--lambda-per-level");
  std::vector<Rational> by_level;
  std::stringstream list(*words.lambda_per_level);
  for (std::string word; std::getline(list, word, ',');) {
    by_level.push_back(latency_of("--lambda-per-level", word));
  }
  if (words.lambda_per_level->ends_with(',')) latency_of("--lambda-per-level", "");
  const FatTree tree = words.topology ? make_fat_tree({.text = "box", .topology = *words.topology},
                                                      scenario.processors)
                                      : FatTree::balanced(scenario.processors);
  if (static_cast<int>(by_level.size()) != tree.levels()) {
    throw UsageError(
        fmt::format("--lambda-per-level: {} values are not allowed; {} processors have "
                    "{} levels",
                    by_level.size(), scenario.processors, tree.levels()));
  }
  try {
    scenario.lambda_of_pair = latency_by_level(tree, by_level);
  } catch (const std::invalid_argument& error) {
    throw UsageError(fmt::format("--lambda-per-level: {}", error.what()));
  }
  scenario.ticks_per_unit = common_denominator(by_level);
  if (!by_level.empty()) scenario.lambda = by_level.front();
}

void check_pictures(const Words& words, int processors) {
  // No operation sends fewer messages than it takes to reach everybody.
  if (words.html && !words.fat_tree && std::cmp_greater(processors - 1, kMostMessagesOfPage)) {
    throw UsageError(
        fmt::format("--html: {} processors send too many messages to look at; at most {}",
                    processors, kMostMessagesOfPage));
  }
  if (!words.fat_tree || processors <= kMostLeavesShown) return;
  for (const auto& [option, given] :
       {std::pair("--html", words.html.has_value()), std::pair("--svg", words.svg.has_value())}) {
    if (!given) continue;
    throw UsageError(fmt::format("{}: a tree of {} leaves is too large to look at; at most {}",
                                 option, processors, kMostLeavesShown));
  }
}

void check_contradictions(const Words& words, const SimulatedOperation& operation) {
  const std::pair<const char*, bool> sizes_only("--sizes-only", words.sizes_only),
      t0("--t0", words.t0.has_value()), fat_tree("--fat-tree", words.fat_tree.has_value()),
      svg("--svg", words.svg.has_value()), html("--html", words.html.has_value()),
      trace("--trace", words.trace.has_value()), unit("--unit", words.unit.has_value()),
      lambda("--lambda", words.lambda.has_value()),
      lambda_per_level("--lambda-per-level", words.lambda_per_level.has_value()),
      // Packets hold a block of any size; only where sizes differ does it count.
      block("--block", words.block && !operation.uneven);
  for (const auto& [one, other] :
       {std::pair(t0, fat_tree), std::pair(trace, fat_tree), std::pair(unit, fat_tree),
        std::pair(block, fat_tree), std::pair(lambda, fat_tree),
        std::pair(lambda_per_level, fat_tree), std::pair(sizes_only, t0),
        std::pair(sizes_only, fat_tree), std::pair(sizes_only, svg), std::pair(sizes_only, html),
        std::pair(sizes_only, trace)}) {
    contradict(one.second && other.second, one.first, other.first);
  }
  if (words.t0 && !words.lambda && !words.lambda_per_level) {
    throw UsageError("--t0 needs --lambda or --lambda-per-level");
  }
  if (words.measure && words.fat_tree != "box") throw UsageError("--measure needs --fat-tree box");
  if (words.half_duplex && !words.fat_tree) throw UsageError("--half-duplex needs --fat-tree");
  if (words.arity && (!words.fat_tree || words.fat_tree == "box")) {
    throw UsageError("--arity needs --fat-tree with capacities");
  }
  if (words.topology == "") throw UsageError("--topology: '' describes no box");
  if (words.topology && words.fat_tree != "box" && !words.lambda_per_level) {
    throw UsageError("--topology needs --fat-tree box or --lambda-per-level");
  }
}

SimulateArguments arguments_of(const Words& words) {
  if (!words.operation) throw UsageError("OPERATION is missing: one of " + operation_names());
  SimulateArguments arguments;
  Scenario& scenario = arguments.scenario;
  scenario.operation = &simulated_operation(*words.operation);
  scenario.processors = 8;
  set_whole_number(scenario.processors, "--processors", words.processors, 1, kMostProcessors);
  if (words.lambda) scenario.lambda = latency_of("--lambda", *words.lambda);
  set_whole_number(scenario.ports, "--ports", words.ports, 1, kMostPorts);
  if (words.block) {
    if (scenario.operation->block == SimulatedOperation::Block::kNone) {
      throw UsageError(fmt::format("--block: {} has no blocks", scenario.operation->name));
    }
    scenario.block_bytes = static_cast<std::size_t>(message_size("--block", *words.block));
  }
  if (words.t0) scenario.t0 = duration_of("--t0", *words.t0);
  check_contradictions(words, *scenario.operation);
  check_pictures(words, scenario.processors);
  scenario.sizes_only = words.sizes_only;
  if (words.sizes_only && scenario.operation->uneven) {
    throw UsageError(fmt::format("--sizes-only: {} is not allowed; its lists differ in size",
                                 scenario.operation->name));
  }
  if (words.unit) scenario.unit_bytes = unit_size("--unit", *words.unit);
  if (words.root && !scenario.operation->has_root) scenario.operation->refuse_root();
  set_whole_number(scenario.root, "--root", words.root, 0,
                   static_cast<std::uint64_t>(scenario.processors - 1));
  set_whole_number(arguments.radix, "--radix", words.radix, 2, kMostProcessors);
  set_whole_number(arguments.blocks, "--blocks", words.blocks, 1, kMostProcessors);
  if (words.fat_tree) {
    arguments.fat_tree = {.text = *words.fat_tree,
                          .topology = words.topology.value_or(""),
                          .measure = words.measure,
                          .duplex = words.half_duplex ? Duplex::half : Duplex::full};
    set_whole_number(arguments.fat_tree->arity, "--arity", words.arity, 2, kMostProcessors);
  }
  arguments.topology = words.topology;
  arguments.svg = words.svg;
  arguments.html = words.html;
  arguments.trace = words.trace;
  arguments.json = words.json;
  scenario.trace = !words.fat_tree && (words.svg || words.html || words.trace);
  if (words.lambda_per_level) {
    check_room_for(scenario);  // before there is the tree of levels, which is large itself
    set_lambda_per_level(scenario, words);
  }
  choose_algorithms(arguments, words);
  if ((words.svg || words.html || words.trace) && arguments.all) {
    throw UsageError("--svg, --html and --trace need --algorithm: they show one run");
  }
  return arguments;
}

}  // namespace

SimulateArguments parse_simulate(std::span<const std::string> given) {
  CommandLine line("simulate", kSummary);
  Words words;
  declare(line, words);
  line.parse(given);
  return arguments_of(words);
}

}  // namespace postroom::cli
