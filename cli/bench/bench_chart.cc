#include "cli/bench/bench_chart.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
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

struct Series {
  Chart::Line measured;
  Chart::Line predicted;
};

/// One for each algorithm.
std::vector<Series> series_of(const BenchResult& result, const SimulatedOperation& operation,
                              int processors, double scale) {
  std::vector<Series> list;
  for (const BenchRow& row : result.rows) {
    if (row.operation != &operation || row.processors != processors) continue;
    const std::string name = to_string(row.algorithm);
    auto series = std::ranges::find(
        list, name, [](const Series& each) -> const std::string& { return each.measured.name; });
    if (series == list.end()) {
      list.push_back({{.name = name, .marked = true}, {.dashed = true}});
      series = list.end() - 1;
    }
    const auto bytes = static_cast<double>(row.block_bytes);
    series->measured.points.emplace_back(bytes, row.summary.median * scale);
    if (row.predicted_ns) {
      series->predicted.points.emplace_back(bytes, *row.predicted_ns * scale);
    }
  }
  return list;
}

/// Whether one hides the other.
bool lie_together(const Chart::Line& one, const Chart::Line& other) {
  constexpr double kSame = 1e-6;
  return std::ranges::equal(one.points, other.points, [](const auto& a, const auto& b) {
    return a.first == b.first && std::abs(a.second - b.second) <= kSame * std::abs(b.second);
  });
}

/// Those that lie together as one, which has the names of all.
std::vector<Series> joined(std::vector<Series> all) {
  std::vector<Series> list;
  for (Series& each : all) {
    const auto same = std::ranges::find_if(list, [&](const Series& other) {
      return lie_together(each.measured, other.measured) &&
             lie_together(each.predicted, other.predicted);
    });
    if (same == list.end()) {
      list.push_back(std::move(each));
    } else {
      same->measured.same.push_back(each.measured.name);
    }
  }
  return list;
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
  const std::vector<Series> all = joined(series_of(result, operation, processors, scale));
  for (const Series& each : all) chart.lines.push_back(each.measured);
  for (const BenchPeer& peer : peers) {
    chart.lines.push_back(line_of(peer, operation, processors, scale));
    if (chart.lines.back().points.empty()) chart.lines.pop_back();
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!all[i].predicted.points.empty()) chart.dashed_name = "predicted";
    chart.lines.push_back(all[i].predicted);
    chart.lines.back().colour = i;
  }
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
