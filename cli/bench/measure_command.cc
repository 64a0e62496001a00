#include "cli/bench/measure_command.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "cli/bench/box_measurement.h"
#include "cli/bench/latency_experiment.h"
#include "cli/bench/measure_report.h"
#include "cli/common/command_line.h"
#include "cli/common/failure.h"
#include "cli/common/json_text.h"
#include "cli/common/memory_check.h"
#include "cli/common/progress.h"
#include "cli/common/units.h"
#include "cli/files/output.h"
#include "cli/files/outputs.h"
#include "cli/simulate/message_sizes.h"
#include "cli/simulate/postal_arguments.h"
#include "collectives/models/profile.h"
#include "runtime/machine.h"
#include "runtime/postal_clock.h"
#include "runtime/postal_parameters.h"
#include "runtime/rational.h"
#include "runtime/virtual_clock.h"

namespace postroom::cli {
namespace {

constexpr int kMostProcessors = 10'000;
constexpr int kModelProcessors = 9;
constexpr const char* kSummary = "Measures what messages take on this box, or in a model.";
constexpr const char* kFooter =
    "For each level of the box (a core's hardware threads, a cache, a NUMA node, the machine) two "
    "of\n"
    "its CPUs exchange messages, as in the two experiments that docs/measure.md describes. With\n"
    "--lambda, a machine under the clock of that model is measured, which has to give it back.\n\n"
    "  postroom measure\n"
    "  postroom measure --save\n"
    "  postroom measure --lambda 9/5 --t0 200us\n"
    "  postroom measure --lambda 9/5 --virtual";

struct Words {
  std::optional<std::string> processors, begin, end, factor, samples, lambda, t0, unit, profile,
      json;
  bool in_virtual_time = false;
  bool save = false;
};

struct Arguments {
  int processors = 0;
  std::vector<std::size_t> sizes;
  int samples = 0;
  std::optional<PostalParameters> model;
  std::optional<std::chrono::nanoseconds> t0;  ///< none: virtual time
  std::optional<std::string> profile, json;
  bool saves = false;  ///< the profile is the usual one
};

void declare(CommandLine& line, Words& words) {
  line.value("-p,--processors", words.processors, "P",
             "of the barrier (as many as the box runs well); in a model of all (9)");
  line.heading("Messages");
  line.value("-b,--begin", words.begin, "SIZE", "the smallest message: 8, 64K (8)");
  line.value("-e,--end", words.end, "SIZE",
             "a sweep of sizes from -b to this one (1M; in a model -b)");
  line.value("-f,--factor", words.factor, "N", "each size so many times the one before (16)");
  line.value("-n,--samples", words.samples, "N", "how often each figure is taken (25)");
  line.heading("A model instead of the box");
  line.value("--lambda", words.lambda, "L", "the latency in units of t0: 2, 1.8, 9/5");
  line.value("--t0", words.t0, "TIME",
             "in real time, a unit taking so long: 200us, 1ms; needs --lambda");
  line.flag("--virtual", words.in_virtual_time, "in virtual time");
  line.value("--unit", words.unit, "BYTES",
             "a message of m bytes costs m / BYTES units, rounded up; otherwise each costs one");
  line.heading("What is written");
  line.value("-o,--output", words.profile, "FILE", "the profile that Algorithm::automatic reads");
  line.flag("--save", words.save,
            "the same where it is looked for: $POSTROOM_PROFILE, or postroom/profile.json in the "
            "folder for settings");
  line.value("--json", words.json, "FILE", "all figures as JSON ('-': standard output)");
  line.footer(kFooter);
}

void read_model(Arguments& arguments, const Words& words) {
  for (const auto& [option, given] : {std::pair{"--t0", words.t0.has_value()},
                                      {"--virtual", words.in_virtual_time},
                                      {"--unit", words.unit.has_value()}}) {
    if (given && !words.lambda) throw UsageError(fmt::format("{} needs --lambda", option));
  }
  if (!words.lambda) return;
  contradict(words.t0 && words.in_virtual_time, "--t0", "--virtual");
  if (!words.t0 && !words.in_virtual_time) {
    throw UsageError("--lambda needs --t0, for real time, or --virtual");
  }
  if (words.profile || words.save) {
    throw UsageError("-o and --save are for the box: a model is no profile of it");
  }
  const Rational lambda = latency_of("--lambda", *words.lambda);
  if (words.in_virtual_time && lambda.denominator() > VirtualClock::kMostTicksPerUnit) {
    throw UsageError(fmt::format("--lambda: {} is not allowed; its denominator is at most {}",
                                 in_quotes(*words.lambda), VirtualClock::kMostTicksPerUnit));
  }
  arguments.model.emplace().lambda = lambda;
  if (words.unit) arguments.model->unit_bytes = unit_size("--unit", *words.unit);
  if (words.t0) arguments.t0 = duration_of("--t0", *words.t0);
}

std::vector<std::size_t> sizes_of(const Words& words, bool of_model) {
  constexpr std::int64_t kUsualEnd = 1 << 20;
  std::optional<std::string> end = words.end;
  if (!end && !of_model) {
    const std::int64_t first = words.begin ? message_size("-b", *words.begin) : 0;
    end = std::to_string(std::max(first, kUsualEnd));
  }
  const std::optional<std::string> factor = !words.factor && end ? "16" : words.factor;
  std::vector<std::size_t> sizes;
  for (const std::int64_t size : message_sizes(words.begin, end, factor, 8)) {
    sizes.push_back(static_cast<std::size_t>(size));
  }
  return sizes;
}

/// That of the profile, unless it was said where that lies.
void make_usual_folder(const std::string& profile) {
  if (const char* const told = std::getenv("POSTROOM_PROFILE"); told != nullptr && *told != '\0') {
    return;
  }
  make_folder(std::filesystem::path(profile).parent_path());
}

/// A profile has the time of a small message and of a byte more.
void check_makes_profile(const std::vector<std::size_t>& sizes) {
  constexpr std::size_t kSmall = 64;
  constexpr std::size_t kLarge = 1024;
  if (sizes.front() <= kSmall && sizes.back() >= kLarge) return;
  throw UsageError(
      fmt::format("-o and --save: messages of {} to {} bytes make no profile; of at most {} to at "
                  "least {} they do (-b, -e, -f)",
                  sizes.front(), sizes.back(), kSmall, kLarge));
}

Arguments arguments_of(const Words& words) {
  Arguments arguments;
  read_model(arguments, words);
  const bool of_model = arguments.model.has_value();
  arguments.processors = of_model ? kModelProcessors : 0;
  set_whole_number(arguments.processors, "--processors", words.processors, of_model ? 2 : 1,
                   kMostProcessors);
  arguments.sizes = sizes_of(words, of_model);
  constexpr std::size_t kMostBytes = std::size_t{64} << 20U;
  if (arguments.sizes.back() > kMostBytes) {
    throw UsageError(fmt::format("{}: {} is not allowed; at most 64M", words.end ? "-e" : "-b",
                                 arguments.sizes.back()));
  }
  arguments.samples = 25;
  set_whole_number(arguments.samples, "--samples", words.samples, 3, 10'000);
  arguments.profile = words.profile;
  if (words.save) {
    contradict(words.profile.has_value(), "-o", "--save");
    arguments.profile = profile_path();
    if (arguments.profile->empty()) {
      throw UsageError("--save: neither POSTROOM_PROFILE nor HOME says where; use -o FILE");
    }
  }
  if (arguments.profile) check_makes_profile(arguments.sizes);
  arguments.saves = words.save;
  arguments.json = words.json;
  return arguments;
}

void run_in_model(const Arguments& arguments, Outputs& outputs) {
  check_memory(
      counted(arguments.processors, "processor"),
      static_cast<std::uint64_t>(arguments.processors) * kLatencyBuffers * arguments.sizes.back());
  const Rational lambda = *arguments.model->lambda.uniform();
  std::shared_ptr<Clock> clock;
  double unit_ns = 1;
  if (arguments.t0) {
    clock = std::make_shared<PostalClock>(*arguments.model, *arguments.t0);
  } else {
    // No finer than needed: so the largest λ fit, too.
    clock = std::make_shared<VirtualClock>(*arguments.model, lambda.denominator());
    // A unit of virtual time is shown as a microsecond.
    unit_ns = 1000.0 / static_cast<double>(clock->ticks_per_unit());
  }
  Machine machine({.processors = arguments.processors, .clock = clock});
  Progress progress(true);
  const std::vector<LevelMeasurement> levels = {
      measure_model(machine, arguments.sizes, arguments.samples, unit_ns, progress)};
  nlohmann::ordered_json figures = {{"lambda", to_string(lambda)},
                                    {"processors", arguments.processors},
                                    {"virtual", !arguments.t0}};
  if (arguments.t0) figures["t0_ns"] = arguments.t0->count();
  if (arguments.model->unit_bytes != 0) figures["unit_bytes"] = arguments.model->unit_bytes;
  figures["levels"] = to_json(levels);
  outputs.write("--json", json_text(figures));
  if (!outputs.prints()) return outputs.finish("");
  std::string text =
      fmt::format("# {} processors, lambda {}, {}\n{}", arguments.processors, to_string(lambda),
                  arguments.t0 ? fmt::format("t0 {} us", arguments.t0->count() / 1e3)
                               : "virtual time: a unit is shown as 1 us",
                  to_text(levels));
  if (arguments.t0) {
    for (const std::string& warning : listen_to_box().warnings()) text += "note: " + warning + "\n";
  }
  outputs.finish(text);
}

void run_on_box(const Arguments& arguments, Outputs& outputs) {
  const BoxOptions options{
      .processors = arguments.processors, .sizes = arguments.sizes, .samples = arguments.samples};
  check_memory(readable_bytes(arguments.sizes.back()) + " messages", memory_for(options));
  Progress progress(true);
  const BoxMeasurement box = measure_box(options, progress);
  outputs.write("--json", json_text(to_json(box)));
  outputs.write("-o", to_json(box.profile()));
  outputs.finish(fmt::format("# {}; {}\n", box.box, box.measured_at) + to_text(box.levels) +
                 rest_to_text(box) +
                 (arguments.profile ? fmt::format("saved {}\n", *arguments.profile) : ""));
}

}  // namespace

int run_measure(std::span<const std::string> given) {
  CommandLine line("measure", kSummary);
  Words words;
  declare(line, words);
  line.parse(given);
  const Arguments arguments = arguments_of(words);
  if (arguments.saves) make_usual_folder(*arguments.profile);
  Outputs outputs({{"-o", arguments.profile}, {"--json", arguments.json}});
  if (arguments.model) {
    run_in_model(arguments, outputs);
  } else {
    run_on_box(arguments, outputs);
  }
  return 0;
}

}  // namespace postroom::cli
