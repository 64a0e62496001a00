#include "cli/simulate/simulation_report.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/common/text_table.h"
#include "cli/common/units.h"
#include "collectives/algorithm.h"
#include "runtime/latency_by_level.h"
#include "runtime/rational.h"

namespace postroom::cli {
namespace {

std::string base_name(const Algorithm& algorithm) {
  const std::string name = to_string(algorithm);
  return name.substr(0, name.find('('));
}

template <class T>
nlohmann::ordered_json or_null(const std::optional<T>& value) {
  return value ? nlohmann::ordered_json(to_string(*value)) : nlohmann::ordered_json();
}

/// λ_1, λ_2, …; none where there is but one.
std::vector<std::string> lambda_per_level(const Scenario& scenario) {
  std::vector<std::string> list;
  if (!scenario.lambda_of_pair || scenario.lambda_of_pair->levels() == nullptr) return list;
  for (const Rational& each : scenario.lambda_of_pair->levels()->by_level) {
    list.push_back(to_string(each));
  }
  return list;
}

std::string in_words(const Rational& time) {
  if (time.is_whole()) return to_string(time);
  return fmt::format("{} = {:.6g}", to_string(time), time.to_double());
}

std::string bytes_in_words(std::size_t bytes) {
  return counted(static_cast<std::int64_t>(bytes), "byte");
}

/// Those of the machine's ports, and of more where an algorithm counts with more.
std::string least_costs_in_words(const std::vector<Outcome>& outcomes) {
  std::map<int, const Outcome*> by_ports;
  for (const Outcome& outcome : outcomes) {
    if (outcome.least_cost) by_ports.try_emplace(outcome.ports_of_least_cost, &outcome);
  }
  std::string words;
  for (const auto& [ports, outcome] : by_ports) {
    const bool more = ports != outcome->scenario.ports;
    words += fmt::format("# with {}{} no algorithm has fewer than {}, nor a volume below {}\n",
                         counted(ports, "port"),
                         more ? ", which " + base_name(outcome->scenario.algorithm) + " has," : "",
                         counted(outcome->least_cost->rounds, "round"), outcome->least_cost->bytes);
  }
  return words;
}

std::string bounds_in_words(const std::vector<Outcome>& outcomes) {
  const Outcome& outcome = outcomes.front();
  std::string words;
  if (outcome.optimum) {
    words = fmt::format("# least time {}\n", in_words(*outcome.optimum));
  } else if (outcome.lower_bound) {
    words = fmt::format("# no algorithm takes less than {}\n", in_words(*outcome.lower_bound));
  }
  return words + least_costs_in_words(outcomes);
}

}  // namespace

std::string title_of(const Scenario& scenario) {
  const std::vector<std::string> by_level = lambda_per_level(scenario);
  std::string title = fmt::format(
      "{}, {}, lambda {}", scenario.operation->name, counted(scenario.processors, "processor"),
      by_level.empty() ? to_string(scenario.lambda)
                       : fmt::format("{} by level", fmt::join(by_level, ",")));
  if (scenario.t0.count() != 0) {
    title += fmt::format(", t0 {:g} us", static_cast<double>(scenario.t0.count()) / 1000);
  }
  title += ", " + counted(scenario.ports, "port");
  if (scenario.operation->block != SimulatedOperation::Block::kNone) {
    title += ", " + bytes_in_words(scenario.block_bytes);
  }
  if (scenario.unit_bytes != 0) title += ", units of " + bytes_in_words(scenario.unit_bytes);
  return title + (scenario.sizes_only ? ", sizes only" : "");
}

std::string to_text(const std::vector<Outcome>& outcomes) {
  std::string text = "# " + title_of(outcomes.front().scenario) + "\n";
  text += bounds_in_words(outcomes);
  // What was measured is no exact fraction.
  const bool measured = outcomes.front().scenario.t0.count() != 0;
  TextTable exact({"algorithm", "rounds", "volume", "time", "decimal"});
  TextTable decimal({"algorithm", "rounds", "volume", "time"});
  for (const Outcome& outcome : outcomes) {
    const std::string algorithm = to_string(outcome.scenario.algorithm);
    const std::string time = fmt::format("{:.6g}", outcome.time.to_double());
    decimal.row({algorithm, outcome.cost.rounds, outcome.cost.bytes, time});
    exact.row({algorithm, outcome.cost.rounds, outcome.cost.bytes, to_string(outcome.time), time});
  }
  return text + (measured ? decimal : exact).to_text();
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
  if (outcome.least_cost) {
    json["rounds_lower_bound"] = outcome.least_cost->rounds;
    json["volume_lower_bound"] = outcome.least_cost->bytes;
    json["ports_of_lower_bounds"] = outcome.ports_of_least_cost;
  }
  if (scenario.lambda_of_pair) {
    json["lambda_depends_on_level"] = true;
    json["lambda_per_level"] = lambda_per_level(scenario);
  }
  if (scenario.sizes_only) json["sizes_only"] = true;
  if (scenario.t0.count() != 0) json["t0_ns"] = scenario.t0.count();
  if (scenario.unit_bytes != 0) json["unit_bytes"] = scenario.unit_bytes;
  if (scenario.operation->has_root) json["root"] = scenario.root;
  return json;
}

}  // namespace postroom::cli
