#include "cli/bench/bench_chart.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cli/bench/bench_report.h"
#include "cli/common/chart.h"
#include "cli/common/this_box.h"
#include "cli/common/units.h"

namespace postroom::cli {
namespace {

/// What decides about the times: the model, on the wall clock the box.
std::string subtitle_of(const BenchArguments& arguments) {
  const std::string clock = "clock: " + clock_in_words(arguments);
  return arguments.machine.is_model() ? clock : clock + "; " + this_box_in_words();
}

Chart::Line line_of(const BenchPeer& peer, const SimulatedOperation& operation, int processors,
                    double scale) {
  Chart::Line line{.name = peer.name, .marked = true};
  for (const auto& [cell, ns] : peer.median_ns) {
    const auto& [name, on, bytes] = cell;
    if (name != operation.name || on != processors) continue;
    line.points.emplace_back(static_cast<double>(bytes), ns * scale);
  }
  return line;
}

Chart chart_of(const BenchArguments& arguments, const BenchResult& result,
               const std::vector<BenchPeer>& peers, const SimulatedOperation& operation,
               int processors) {
  const BenchMachine& machine = arguments.machine;
  const double scale = machine.is_real() ? 1e-3 : 1;
  Chart chart{.title = fmt::format("{}, {}", operation.name, counted(processors, "processor")),
              .x_label = "bytes",
              .y_label = machine.is_real() ? "time, us" : "time, units",
              .subtitle = subtitle_of(arguments),
              .x_scale = Chart::Scale::kLog,
              .y_scale = Chart::Scale::kLog};
  std::vector<Chart::Line> predictions;
  for (const BenchRow& row : result.rows) {
    if (row.operation != &operation || row.processors != processors) continue;
    const std::string name = to_string(row.algorithm);
    auto line = std::ranges::find(chart.lines, name, &Chart::Line::name);
    if (line == chart.lines.end()) {
      predictions.push_back({.dashed = true, .colour = chart.lines.size()});
      chart.lines.push_back({.name = name, .marked = true});
      line = chart.lines.end() - 1;
    }
    const auto bytes = static_cast<double>(row.block_bytes);
    line->points.emplace_back(bytes, row.summary.median * scale);
    if (row.predicted_ns) {
      predictions[static_cast<std::size_t>(line - chart.lines.begin())].points.emplace_back(
          bytes, *row.predicted_ns * scale);
    }
  }
  for (const BenchPeer& peer : peers) {
    chart.lines.push_back(line_of(peer, operation, processors, scale));
    if (chart.lines.back().points.empty()) chart.lines.pop_back();
  }
  const auto has_points = [](const Chart::Line& line) { return !line.points.empty(); };
  if (std::ranges::any_of(predictions, has_points)) chart.dashed_name = "predicted";
  chart.lines.insert(chart.lines.end(), predictions.begin(), predictions.end());
  return chart;
}

}  // namespace

std::string bench_svg(const BenchArguments& arguments, const BenchResult& result,
                      const std::vector<BenchPeer>& peers) {
  std::vector<Chart> charts;
  for (const SimulatedOperation* operation : arguments.operations) {
    if (operation->block == SimulatedOperation::Block::kNone) continue;
    for (const int processors : arguments.processors) {
      charts.push_back(chart_of(arguments, result, peers, *operation, processors));
    }
  }
  return to_svg(charts);
}

}  // namespace postroom::cli
