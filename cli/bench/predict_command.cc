#include "cli/bench/predict_command.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/bench/predict_arguments.h"
#include "cli/bench/prediction.h"
#include "cli/common/failure.h"
#include "cli/common/json_text.h"
#include "cli/common/progress.h"
#include "cli/common/text_table.h"
#include "cli/common/units.h"
#include "cli/files/outputs.h"
#include "collectives/models/profile.h"

namespace postroom::cli {
namespace {

using Cell = TextTable::Cell;
using Json = nlohmann::ordered_json;

// Of the progress within a size.
constexpr std::uint64_t kStepsOfSize = 1000;

bool has_blocks(const PredictArguments& arguments) {
  return arguments.operation->block != SimulatedOperation::Block::kNone;
}

/// Has `progress` show what `question` looks at: "1024 bytes: pairwise". A size that is none of a
/// sweep, where a break-even is looked for, counts as the next one that is.
void show_on(Progress& progress, Prediction& question, const PredictArguments& arguments) {
  progress.begin("predicting", kStepsOfSize * arguments.sizes.size());
  if (!progress.is_drawing()) return;
  question.on_next = [&, furthest = std::uint64_t{0}](const Algorithm& algorithm,
                                                      std::int64_t bytes, double done) mutable {
    const auto sizes = std::ranges::lower_bound(arguments.sizes, bytes) - arguments.sizes.begin();
    const double steps = kStepsOfSize * (static_cast<double>(sizes) + done);
    furthest = std::max(furthest, static_cast<std::uint64_t>(steps));
    const std::string size = has_blocks(arguments) ? counted(bytes, "byte") + ": " : "";
    progress.name(size + to_string(algorithm));
    progress.set(furthest);
  };
}

std::string microseconds(double ns) { return fmt::format("{:.6g}", ns / 1e3); }

Algorithm automatic_choice(const PredictArguments& arguments, std::int64_t bytes) {
  return arguments.operation->chosen(arguments.processors, bytes,
                                     arguments.on_this_box ? nullptr : &arguments.model);
}

std::vector<Predicted> predicted(const PredictArguments& arguments, const Prediction& question,
                                 std::int64_t bytes) {
  std::vector<Predicted> list =
      arguments.all_variants ? question.of_all(bytes) : question.of_each(bytes);
  if (list.empty()) {
    // Says why, where it is not for the algorithms' sake.
    (void)arguments.operation->cost(arguments.processors, bytes, Algorithm::automatic,
                                    &arguments.model);
    throw UsageError("no algorithm runs with these parameters");
  }
  return list;
}

std::string title(const PredictArguments& arguments) {
  return fmt::format("# {}, {} processor{}\n# {}\n", arguments.operation->name,
                     arguments.processors, arguments.processors == 1 ? "" : "s",
                     arguments.model_in_words);
}

std::string one_size(const PredictArguments& arguments, const Prediction& question) {
  const std::int64_t bytes = arguments.sizes.front();
  const std::vector<Predicted> list = predicted(arguments, question, bytes);
  std::string text =
      title(arguments) +
      fmt::format("# {}automatic: {}\n",
                  has_blocks(arguments) ? counted(bytes, "byte") + "; " : std::string(),
                  to_string(automatic_choice(arguments, bytes)));
  TextTable table({"algorithm", "rounds", "volume", "us", "of best"});
  for (const Predicted& each : list) {
    const Cost cost =
        question.operation.cost(question.processors, bytes, each.algorithm, &question.model);
    table.row({to_string(each.algorithm), cost.rounds, cost.bytes, microseconds(each.ns),
               fmt::format("{:.2f}", list.front().ns > 0 ? each.ns / list.front().ns : 1.0)});
  }
  return text + table.to_text();
}

std::string sweep(const PredictArguments& arguments, const Prediction& question,
                  const Winners& winners) {
  TextTable table({"best algorithm", "bytes", "us", "next", "us"});
  for (std::size_t i = 0; i < arguments.sizes.size(); ++i) {
    const std::int64_t bytes = arguments.sizes[i];
    const Predicted& best = winners.of_size[i];
    const std::vector<Predicted> list = predicted(arguments, question, bytes);
    // Others that take the same time tell nothing.
    const auto next = std::ranges::find_if(
        list, [&](const Predicted& each) { return each.ns > best.ns * 1.0001; });
    const bool has_next = next != list.end();
    table.row({to_string(best.algorithm), bytes, microseconds(best.ns),
               has_next ? Cell(to_string(next->algorithm)) : Cell(),
               has_next ? Cell(microseconds(next->ns)) : Cell()});
  }
  std::string text = title(arguments) + table.to_text();
  for (const BreakEven& each : winners.break_evens) {
    text += fmt::format("from {} bytes on {} instead of {}\n", each.bytes, to_string(each.after),
                        to_string(each.before));
  }
  return text;
}

Json as_json(const PredictArguments& arguments, const Prediction& question,
             const Winners& winners) {
  const TimeModel& model = arguments.model;
  Json json = {{"operation", arguments.operation->name},
               {"processors", arguments.processors},
               {"model",
                {{"latency_ns", model.latency_ns},
                 {"busy_ns", model.busy_ns},
                 {"per_byte_ns", model.per_byte_ns},
                 {"unit_bytes", model.unit_bytes},
                 {"ports", model.ports},
                 {"shares_memory", model.shares_memory}}},
               {"sizes", Json::array()},
               {"break_even", Json::array()}};
  for (const std::int64_t bytes : arguments.sizes) {
    Json size = {{"bytes", bytes},
                 {"automatic", to_string(automatic_choice(arguments, bytes))},
                 {"algorithms", Json::array()}};
    for (const Predicted& each : predicted(arguments, question, bytes)) {
      const Cost cost =
          question.operation.cost(question.processors, bytes, each.algorithm, &question.model);
      size["algorithms"].push_back({{"algorithm", to_string(each.algorithm)},
                                    {"rounds", cost.rounds},
                                    {"volume", cost.bytes},
                                    {"time_ns", each.ns}});
    }
    json["sizes"].push_back(std::move(size));
  }
  for (const BreakEven& each : winners.break_evens) {
    json["break_even"].push_back({{"bytes", each.bytes},
                                  {"before", to_string(each.before)},
                                  {"after", to_string(each.after)}});
  }
  return json;
}

}  // namespace

int run_predict(std::span<const std::string> words) {
  const PredictArguments arguments = parse_predict(words);
  Outputs outputs({{"--json", arguments.json}});
  outputs.spare("the choice of algorithms", arguments.profile.value_or(profile_path()));
  Prediction question{*arguments.operation, arguments.processors, arguments.model, arguments.only};
  Progress progress(true);
  show_on(progress, question, arguments);
  (void)predicted(arguments, question, arguments.sizes.front());  // refuses what never runs
  const Winners winners = question.winners(arguments.sizes, arguments.last_size);
  const bool is_sweep = arguments.sizes.size() > 1;
  const std::string text =
      is_sweep ? sweep(arguments, question, winners) : one_size(arguments, question);
  const std::string json =
      outputs.has("--json") ? json_text(as_json(arguments, question, winners)) : "";
  progress.finish();
  outputs.write("--json", json);
  outputs.finish(text);
  return 0;
}

}  // namespace postroom::cli
