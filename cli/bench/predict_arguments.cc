#include "cli/bench/predict_arguments.h"

#include <fmt/core.h>

#include <charconv>
#include <cmath>
#include <sstream>

#include "cli/common/command_line.h"
#include "cli/common/failure.h"
#include "cli/common/units.h"
#include "cli/simulate/message_sizes.h"
#include "cli/simulate/named_algorithm.h"
#include "cli/simulate/postal_arguments.h"
#include "cli/simulate/simulated_operations.h"
#include "collectives/models/profile.h"
#include "runtime/rational.h"

namespace postroom::cli {
namespace {

constexpr int kMostProcessors = 10'000;
constexpr std::int64_t kUsualBytes = 8;
constexpr const char* kSummary =
    "Predicts how long each algorithm of an operation takes; nothing is run.";
constexpr const char* kFooter =
    "With --lambda in the postal model; without it as the profile of this box says, which\n"
    "`postroom measure` saves. A message of m bytes occupies a port for t0 and --per-byte for "
    "each\n"
    "byte. One size: every algorithm, with its best parameters. Several: the best one for each, "
    "and\n"
    "the sizes from which on another one is.\n\n"
    "  postroom predict broadcast -p 64 --lambda 9/5 --t0 1ms\n"
    "  postroom predict alltoall -p 64 --lambda 2 --t0 30us --per-byte 120 -b 1 -e 64K\n"
    "  postroom predict alltoall -p 64 --lambda 1 --t0 29us --per-byte 120 -b 1 -e 64K \\\n"
    "    --only 'bruck(radix=2); bruck(radix=64)'\n"
    "  postroom predict allreduce -p 8 -b 8 -e 1M -f 8";

struct Words {
  std::optional<std::string> operation, processors, lambda, t0, per_byte, ports, unit, profile,
      begin, end, factor, only, json;
  bool all = false;
};

void declare(CommandLine& line, Words& words) {
  line.operand(words.operation, "OPERATION", operation_names());
  line.value("-p,--processors", words.processors, "P", "how many processors (8)");
  line.heading("Messages");
  line.value("-b,--begin", words.begin, "SIZE",
             "the list, or one processor's part of it: 8, 64K (8)");
  line.value("-e,--end", words.end, "SIZE", "a sweep of sizes from -b to this one");
  line.value("-f,--factor", words.factor, "N", "each size so many times the one before (2)");
  line.heading("The model");
  line.value("--lambda", words.lambda, "L", "the latency in units of t0: 2, 1.8, 9/5");
  line.value("--t0", words.t0, "TIME",
             "for how long a message occupies a port (1ms); needs --lambda");
  line.value("--per-byte", words.per_byte, "NS", "and each of its bytes, in nanoseconds (0)");
  line.value("--unit", words.unit, "BYTES",
             "a message of m bytes costs m / BYTES units of t0, rounded up");
  line.value("--ports", words.ports, "K",
             "messages that a processor sends, and receives, at a time (1)");
  line.value("--profile", words.profile, "FILE", "as `postroom measure` saved it");
  line.heading("What is shown");
  line.value("--only", words.only, "LIST", "these algorithms: 'bruck(radix=2); pairwise'");
  line.flag("--all", words.all, "one size: every algorithm with all parameters tried");
  line.value("--json", words.json, "FILE", "the figures as JSON ('-': standard output)");
  line.footer(kFooter);
}

double nanoseconds(std::string_view option, const std::string& text) {
  double value = -1;
  const char* const end = text.data() + text.size();
  const auto [read_to, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc{} && read_to == end && value >= 0 && value <= 1e12) return value;
  throw UsageError(
      fmt::format("{}: {} is not a number of nanoseconds from 0 to 1e12", option, in_quotes(text)));
}

void set_postal_model(PredictArguments& arguments, const Words& words) {
  contradict(words.profile.has_value(), "--lambda", "--profile");
  const Rational lambda = latency_of("--lambda", *words.lambda);
  const double t0 = words.t0 ? static_cast<double>(duration_of("--t0", *words.t0).count()) : 1e6;
  TimeModel model = TimeModel::postal(lambda, t0);
  set_whole_number(model.ports, "--ports", words.ports, 1, kMostPorts);
  if (words.unit) model.unit_bytes = unit_size("--unit", *words.unit);
  if (words.per_byte) model.per_byte_ns = nanoseconds("--per-byte", *words.per_byte);
  arguments.model = model;
  arguments.model_in_words =
      fmt::format("lambda {}, t0 {:.6g} us", to_string(lambda), model.busy_ns / 1e3);
}

void set_box_model(PredictArguments& arguments, const Words& words) {
  for (const auto& [option, text] : {std::pair{"--t0", &words.t0},
                                     {"--per-byte", &words.per_byte},
                                     {"--unit", &words.unit},
                                     {"--ports", &words.ports}}) {
    if (*text) throw UsageError(fmt::format("{} needs --lambda", option));
  }
  if (words.profile == "") throw UsageError("--profile: '' is not the name of a file to read");
  const Profile profile = words.profile ? read_profile(*words.profile) : box_profile();
  if (!profile.note.empty()) tell(fmt::format("postroom predict: {}\n", one_line(profile.note)));
  arguments.profile = words.profile;
  arguments.on_this_box = !words.profile;
  arguments.model = profile.model(arguments.processors);
  arguments.model_in_words = fmt::format(
      "{}: latency {:.4g} ns, t0 {:.4g} ns",
      profile.measured ? profile.box + ", " + profile.measured_at : "the built-in profile",
      arguments.model.latency_ns, arguments.model.busy_ns);
  arguments.is_guess = !profile.has_room_for(arguments.processors);
}

/// What takes no messages has none, nor what depends on the box.
bool has_time(const Algorithm& algorithm) {
  return algorithm != Algorithm::slots && algorithm != Algorithm::turns &&
         algorithm != Algorithm::teams;
}

[[noreturn]] void refuse_list(const std::string& list) {
  throw UsageError(
      fmt::format("--only: {} is not a list such as 'ring; circulant'", in_quotes(list)));
}

std::vector<Algorithm> algorithms_of(const std::string& list, const SimulatedOperation& operation) {
  std::vector<Algorithm> algorithms;
  std::stringstream rest(list);
  for (std::string word; std::getline(rest, word, ';');) {
    if (word.find_first_not_of(' ') == std::string::npos) refuse_list(list);
    add_algorithm(algorithms, named_algorithm("--only", word, operation, has_time), "--only");
  }
  if (algorithms.empty()) refuse_list(list);
  return algorithms;
}

PredictArguments arguments_of(const Words& words) {
  if (!words.operation) throw UsageError("OPERATION is missing: one of " + operation_names());
  PredictArguments arguments;
  arguments.operation = &simulated_operation(*words.operation);
  set_whole_number(arguments.processors, "--processors", words.processors, 1, kMostProcessors);
  const bool has_blocks = arguments.operation->block != SimulatedOperation::Block::kNone;
  for (const auto& [option, text] :
       {std::pair{"-b", &words.begin}, {"-e", &words.end}, {"-f", &words.factor}}) {
    if (has_blocks || !*text) continue;
    throw UsageError(fmt::format("{}: {} has no blocks", option, arguments.operation->name));
  }
  arguments.sizes =
      message_sizes(words.begin, words.end, words.factor, has_blocks ? kUsualBytes : 0);
  if (words.only) arguments.only = algorithms_of(*words.only, *arguments.operation);
  words.lambda ? set_postal_model(arguments, words) : set_box_model(arguments, words);
  const TimeModel& model = arguments.model;
  if (model.per_byte_ns > 0) {
    arguments.model_in_words += fmt::format(", {:.4g} ns a byte", model.per_byte_ns);
  }
  if (model.unit_bytes > 0) {
    arguments.model_in_words +=
        fmt::format(", units of {}", counted(static_cast<std::int64_t>(model.unit_bytes), "byte"));
  }
  if (model.ports > 1) arguments.model_in_words += fmt::format(", {} ports", model.ports);
  if (arguments.is_guess) {
    arguments.model_in_words +=
        "\n# a rough guess: there are fewer hardware threads than processors, which take turns";
  }
  if (words.all && arguments.sizes.size() > 1) {
    throw UsageError("--all and -e contradict each other: it shows one size");
  }
  arguments.last_size = words.end ? message_size("-e", *words.end) : arguments.sizes.back();
  arguments.all_variants = words.all;
  arguments.json = words.json;
  return arguments;
}

}  // namespace

PredictArguments parse_predict(std::span<const std::string> given) {
  CommandLine line("predict", kSummary);
  Words words;
  declare(line, words);
  line.parse(given);
  return arguments_of(words);
}

}  // namespace postroom::cli
