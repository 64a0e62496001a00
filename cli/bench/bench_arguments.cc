#include "cli/bench/bench_arguments.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <sstream>
#include <string_view>
#include <utility>

#include "cli/common/command_line.h"
#include "cli/common/failure.h"
#include "cli/simulate/message_sizes.h"
#include "cli/simulate/named_algorithm.h"
#include "cli/simulate/postal_arguments.h"
#include "cli/simulate/simulated_operations.h"
#include "numa/placement.h"
#include "numa/topology.h"

namespace postroom::cli {
namespace {

using Clock = BenchMachine::Clock;

constexpr int kMostProcessors = 1'000'000;
constexpr int kMostIterations = 1'000'000;
constexpr const char* kSummary =
    "Measures collectives: every algorithm of an operation, by size, beside what the model "
    "predicts.";
constexpr const char* kFooter =
    "Sizes may be written 8, 4K, 16M. On the wall clock unless --lambda is given; that is exact\n"
    "virtual time, or with --t0 real time with the latency put in. What the columns mean:\n"
    "docs/bench.md.\n\n"
    "  postroom bench allreduce -p 2 -b 8 -e 1M\n"
    "  postroom bench broadcast reduce -p 64 --lambda 9/5 --t0 1ms --svg times.svg\n"
    "  postroom bench all -p 2,4,8,16,32,64 --lambda 9/5\n"
    "  postroom bench allgather --algorithm ring --algorithm 'circulant(ports=2)' --csv "
    "samples.csv\n"
    "  postroom bench all --guidelines\n"
    "  postroom bench all -p 5 --schedule-seed 17";

struct Words {
  std::vector<std::string> operations, algorithms;
  std::optional<std::string> processors, begin, end, factor, root, iterations, warm_up, seconds;
  std::optional<std::string> lambda, t0, ports, unit, schedule_seed;
  std::optional<std::string> json, csv, svg;
  bool virtual_time = false;
  bool check = false;
  bool no_check = false;
  bool guidelines = false;
  bool vs_mpi = false;
};

std::string operations_or_all() { return operation_names() + ", all"; }

void declare(CommandLine& line, Words& words) {
  line.operands(words.operations, "OPERATION", operations_or_all());
  line.heading("What is run");
  line.values("--algorithm", words.algorithms, "NAME",
              "one that the operations have, with parameters or as the table has it; may be "
              "repeated (all)");
  line.value(
      "-p,--processors", words.processors, "P,P,...",
      "how many processors, one number or several, rising (as many as the box runs well; in a "
      "model 8)");
  line.value("-b,--begin", words.begin, "BYTES",
             "the smallest list, or processor's part of it (8)");
  line.value(
      "-e,--end", words.end, "BYTES",
      "at most so much (on the wall clock 1M; in a model the smallest, with --unit 64 units)");
  line.value("-f,--factor", words.factor, "N", "from size to size (8)");
  line.value("--root", words.root, "I", "for operations that have one (0)");
  line.value("--schedule-seed", words.schedule_seed, "N",
             "all processors take turns on one thread, in an order that N draws: the same N, the "
             "same order");

  line.heading("How it is timed");
  line.value("-n,--iterations", words.iterations, "N",
             "calls of each algorithm for each size (100; with --t0 5)");
  line.value("-w,--warm-up", words.warm_up, "N", "calls before these (10; with --t0 1)");
  line.value("--limit", words.seconds, "TIME",
             "no more calls of a row after this time: 200ms, 2s (500ms; with --t0 2s)");
  line.flag("-c,--check", words.check, "check the result of each call (the default)");
  line.flag("--no-check", words.no_check, "do not");

  line.heading("The model");
  line.value("--lambda", words.lambda, "L", "the latency of the postal model: 2, 1.8, 9/5");
  line.value("--t0", words.t0, "TIME",
             "in real time, a unit taking so long: 200us, 1ms; needs --lambda");
  line.flag("--virtual", words.virtual_time, "in virtual time, as --lambda without --t0");
  line.value("--ports", words.ports, "K",
             "messages that a processor sends, and receives, at a time (1)");
  line.value("--unit", words.unit, "BYTES",
             "a message of m bytes costs m / BYTES units, rounded up; otherwise each costs one");

  line.heading("What else is done");
  line.flag("--guidelines", words.guidelines,
            "check that no operation is slower than its composition from others");
  line.flag("--vs-mpi", words.vs_mpi, "run the same through an installed Open MPI or MPICH");
  line.value("--json", words.json, "FILE", "all figures as JSON ('-': standard output)");
  line.value("--csv", words.csv, "FILE", "all samples, one a line ('-': standard output)");
  line.value("--svg", words.svg, "FILE", "time by size, a chart for each operation");
  line.footer(kFooter);
}

BenchMachine machine_of(const Words& words) {
  contradict(words.virtual_time && words.t0, "--virtual", "--t0");
  BenchMachine machine;
  if (words.t0) {
    machine.clock = Clock::kPostal;
    machine.t0 = duration_of("--t0", *words.t0);
    if (!words.lambda) throw UsageError("--t0 needs --lambda");
  } else if (words.lambda || words.virtual_time) {
    machine.clock = Clock::kVirtual;
  }
  const bool no_model = !machine.is_model();
  if (no_model && words.ports) throw UsageError("--ports: the wall clock has none; give --lambda");
  if (no_model && words.unit) throw UsageError("--unit: the wall clock has none; give --lambda");
  if (words.lambda) machine.lambda = latency_of("--lambda", *words.lambda);
  set_whole_number(machine.ports, "--ports", words.ports, 1, kMostPorts);
  if (words.unit) machine.unit_bytes = unit_size("--unit", *words.unit);
  contradict(words.schedule_seed && machine.is_model(), "--schedule-seed",
             "--lambda, --t0, --virtual");
  set_whole_number(machine.schedule_seed, "--schedule-seed", words.schedule_seed, 1,
                   std::numeric_limits<std::uint64_t>::max());
  return machine;
}

std::vector<int> processors_of(const Words& words, const BenchMachine& machine) {
  if (!words.processors) {
    return {machine.is_model() ? 8 : default_processors(Topology::parse("box"))};
  }
  std::vector<int> list;
  std::stringstream rest(*words.processors + ",");
  for (std::string word; std::getline(rest, word, ',');) {
    const auto next = static_cast<int>(whole_number("--processors", word, 1, kMostProcessors));
    if (!list.empty() && next <= list.back()) {
      throw UsageError(
          fmt::format("--processors: {} after {} is not allowed; a larger one", next, list.back()));
    }
    list.push_back(next);
  }
  return list;
}

/// Whether any of them has blocks.
bool has_blocks(const std::vector<const SimulatedOperation*>& operations) {
  return std::ranges::any_of(operations, [](const SimulatedOperation* operation) {
    return operation->block != SimulatedOperation::Block::kNone;
  });
}

void refuse_sizes(const Words& words, const SimulatedOperation& operation) {
  for (const auto& [option, text] :
       {std::pair{"-b", &words.begin}, {"-e", &words.end}, {"-f", &words.factor}}) {
    if (*text) throw UsageError(fmt::format("{}: {} has no blocks", option, operation.name));
  }
}

std::vector<const SimulatedOperation*> operations_of(const Words& words) {
  std::vector<const SimulatedOperation*> operations;
  const auto add = [&](const SimulatedOperation& operation) {
    if (std::ranges::count(operations, &operation) == 0) operations.push_back(&operation);
  };
  for (const std::string& name : words.operations) {
    if (name == "all") {
      for (const SimulatedOperation& operation : simulated_operations()) add(operation);
    } else {
      add(simulated_operation(name, "all"));
    }
  }
  if (operations.empty()) throw UsageError("OPERATION is missing: one of " + operations_or_all());
  return operations;
}

/// From -b to -e by -f; what is not said is chosen for the clock.
std::vector<std::size_t> sizes_of(const Words& words, const BenchMachine& machine,
                                  std::size_t& factor) {
  const std::string begin = words.begin.value_or("8");
  const std::int64_t first = message_size("-b", begin, 1);
  const std::string by = words.factor.value_or("8");
  std::optional<std::string> end = words.end;
  if (!end) {
    std::int64_t last = first;
    if (!machine.is_model()) last = std::max<std::int64_t>(first, 1 << 20);
    if (machine.unit_bytes != 0) {
      const std::uint64_t units = std::min(kMostMessageBytes, 64 * machine.unit_bytes);
      last = std::max(first, static_cast<std::int64_t>(units));
    }
    end = std::to_string(last);
  }
  if (words.factor && !words.end && *end == std::to_string(first)) {
    throw UsageError("-f needs -e");
  }
  std::vector<std::size_t> sizes;
  for (const std::int64_t bytes : message_sizes(begin, end, by, first)) {
    sizes.push_back(static_cast<std::size_t>(bytes));
  }
  factor = whole_number("-f", by, 2, kMostFactor);
  return sizes;
}

NamedAlgorithm algorithm_named(const std::string& text) {
  const Algorithm named = parse_algorithm(text);
  if (named == Algorithm::automatic) {
    throw UsageError("--algorithm: 'automatic' is no algorithm; what it chooses is marked");
  }
  return {named, text.find('(') != std::string::npos};
}

void set_algorithms(BenchArguments& arguments, const Words& words) {
  std::vector<Algorithm> on_first;
  for (const std::string& text : words.algorithms) {
    if (arguments.operations.size() == 1) {
      (void)named_algorithm("--algorithm", text, *arguments.operations.front(),
                            [](const Algorithm&) { return true; });
    }
    arguments.algorithms.push_back(algorithm_named(text));
    const NamedAlgorithm& named = arguments.algorithms.back();
    const SimulatedOperation& operation = *arguments.operations.front();
    add_algorithm(on_first, algorithm_on(arguments.machine, operation, named), "--algorithm");
  }
  if (arguments.algorithms.empty()) return;
  for (const SimulatedOperation* operation : arguments.operations) {
    const auto fits = [&](const NamedAlgorithm& named) {
      return operation->has(named.algorithm.name);
    };
    if (std::ranges::any_of(arguments.algorithms, fits)) continue;
    throw_no_algorithm("--algorithm", words.algorithms.front(), *operation);
  }
}

void set_timing(BenchArguments& arguments, const Words& words) {
  using namespace std::chrono_literals;
  const bool waits = arguments.machine.clock == Clock::kPostal;
  arguments.iterations = waits ? 5 : 100;
  arguments.warm_up = waits ? 1 : 10;
  arguments.limit = waits ? 2s : 500ms;
  set_whole_number(arguments.iterations, "--iterations", words.iterations, 1, kMostIterations);
  set_whole_number(arguments.warm_up, "--warm-up", words.warm_up, 0, kMostIterations);
  if (words.seconds) arguments.limit = duration_of("--limit", *words.seconds);
  contradict(words.check && words.no_check, "--check", "--no-check");
  arguments.check = !words.no_check;
}

BenchArguments arguments_of(const Words& words) {
  BenchArguments arguments;
  arguments.operations = operations_of(words);
  arguments.machine = machine_of(words);
  arguments.processors = processors_of(words, arguments.machine);
  arguments.machine.processors = arguments.processors.front();
  if (words.schedule_seed && arguments.processors.back() == 1) {
    throw UsageError("--schedule-seed: one processor takes no turns; give -p");
  }
  arguments.guidelines = words.guidelines;
  arguments.vs_mpi = words.vs_mpi;
  arguments.json = words.json;
  arguments.csv = words.csv;
  arguments.svg = words.svg;
  const bool has_sizes = has_blocks(arguments.operations);
  if (!has_sizes) refuse_sizes(words, *arguments.operations.front());
  arguments.sizes = sizes_of(words, arguments.machine, arguments.factor);
  const bool has_root = std::ranges::any_of(arguments.operations, &SimulatedOperation::has_root);
  if (words.root && !has_root) arguments.operations.front()->refuse_root();
  set_whole_number(arguments.root, "--root", words.root, 0,
                   static_cast<std::uint64_t>(arguments.machine.processors - 1));
  set_algorithms(arguments, words);
  set_timing(arguments, words);
  if (words.svg && !has_sizes) throw UsageError("--svg: barrier has no sizes to draw");
  contradict(words.guidelines && !words.algorithms.empty(), "--guidelines", "--algorithm");
  contradict(words.guidelines && words.vs_mpi, "--guidelines", "--vs-mpi");
  contradict(words.guidelines && words.svg, "--guidelines", "--svg");
  contradict(words.guidelines && words.csv, "--guidelines", "--csv");
  contradict(words.schedule_seed && words.guidelines, "--schedule-seed", "--guidelines");
  contradict(words.schedule_seed && words.vs_mpi, "--schedule-seed", "--vs-mpi");
  contradict(words.vs_mpi && arguments.machine.is_model(), "--vs-mpi", "--lambda, --t0, --virtual");
  contradict(words.vs_mpi && arguments.root != 0, "--vs-mpi", "--root");
  return arguments;
}

}  // namespace

Algorithm algorithm_on(const BenchMachine& machine, const SimulatedOperation& operation,
                       const NamedAlgorithm& named) {
  if (named.has_parameters) return named.algorithm;
  const Algorithm listed = operation.listed(named.algorithm);
  if (!machine.is_model()) return listed;
  return for_machine(listed, machine.processors, machine.lambda, machine.ports);
}

BenchArguments on_processors(BenchArguments arguments, int processors) {
  arguments.machine.processors = processors;
  arguments.processors = {processors};
  return arguments;
}

std::vector<std::size_t> sizes_for(const SimulatedOperation& operation,
                                   const BenchArguments& arguments) {
  if (operation.block == SimulatedOperation::Block::kNone) return {0};
  return arguments.sizes;
}

BenchArguments parse_bench(std::span<const std::string> given) {
  CommandLine line("bench", kSummary);
  Words words;
  declare(line, words);
  line.parse(given);
  return arguments_of(words);
}

}  // namespace postroom::cli
