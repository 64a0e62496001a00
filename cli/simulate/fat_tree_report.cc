#include "cli/simulate/fat_tree_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/common/text_table.h"
#include "cli/common/units.h"

namespace postroom::cli {

nlohmann::ordered_json to_json(const TreeOutcome& outcome, const Scenario& scenario,
                               const FatTree& tree) {
  const auto number_or_null = [](const std::optional<std::int64_t>& value) {
    return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
  };
  auto queues = nlohmann::ordered_json::array();
  for (std::size_t level = 1; level <= outcome.report.largest_queue.size(); ++level) {
    const UpDown& queue = outcome.report.largest_queue[level - 1];
    queues.push_back({{"level", level}, {"up", queue.up}, {"down", queue.down}});
  }
  return {{"operation", scenario.operation->name},
          {"algorithm", outcome.algorithm.substr(0, outcome.algorithm.find('('))},
          {"variant", outcome.algorithm},
          {"processors", scenario.processors},
          {"capacities", tree.capacities()},
          {"duplex", outcome.duplex == Duplex::full ? "full" : "half"},
          {"steps", outcome.report.steps},
          {"formula", number_or_null(outcome.formula)},
          {"lower_bound", number_or_null(outcome.lower_bound)},
          {"packets", outcome.report.packets},
          {"largest_queues", queues}};
}

std::string in_words(const FatTree& tree) {
  std::string processors = counted(tree.leaf_count(), "processor");
  if (tree.levels() == 0) return processors;
  return fmt::format("{}, capacities {}", processors, fmt::join(tree.capacities(), ","));
}

std::string to_text(const std::vector<TreeOutcome>& outcomes, const Scenario& scenario,
                    const FatTree& tree) {
  std::string text = fmt::format("# {}, {}{}\n", scenario.operation->name, in_words(tree),
                                 outcomes.front().duplex == Duplex::full ? "" : ", half duplex");
  if (outcomes.front().lower_bound) {
    text += fmt::format("# no algorithm takes less than {}\n",
                        counted(*outcomes.front().lower_bound, "step"));
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

}  // namespace postroom::cli
