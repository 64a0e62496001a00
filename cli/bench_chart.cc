#include "cli/bench_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "cli/chart.h"

namespace postroom::cli {
namespace {

// Colours begin again after so many lines; those have no marks then.
constexpr std::size_t kMarkedLines = 8;

Chart chart_of(const BenchArguments& arguments, const BenchResult& result,
               const SimulatedOperation& operation) {
  const BenchMachine& machine = arguments.machine;
  const double scale = machine.is_real() ? 1e-3 : 1;
  Chart chart{.title = fmt::format("{}, {} processors", operation.name, machine.processors),
              .x_label = "bytes",
              .y_label = machine.is_real() ? "time, us" : "time, units",
              .x_scale = Chart::Scale::kLog,
              .y_scale = Chart::Scale::kLog};
  const bool only_one_size = arguments.sizes.size() == 1;
  std::vector<Chart::Line> predictions;
  for (const BenchRow& row : result.rows) {
    if (row.operation != &operation) continue;
    const std::string name = to_string(row.algorithm);
    auto line = std::ranges::find(chart.lines, name, &Chart::Line::name);
    if (line == chart.lines.end()) {
      predictions.push_back({.dashed = true, .colour = chart.lines.size()});
      chart.lines.push_back(
          {.name = name, .marked = only_one_size || chart.lines.size() < kMarkedLines});
      line = chart.lines.end() - 1;
    }
    const auto bytes = static_cast<double>(row.block_bytes);
    line->points.emplace_back(bytes, row.summary.median * scale);
    if (row.predicted_ns) {
      predictions[static_cast<std::size_t>(line - chart.lines.begin())].points.emplace_back(
          bytes, *row.predicted_ns * scale);
    }
  }
  chart.lines.insert(chart.lines.end(), predictions.begin(), predictions.end());
  return chart;
}

/// The width or height that the first element of a picture states.
int stated(std::string_view what, const std::string& svg) {
  const std::string attribute = fmt::format(" {}=\"", what);
  return std::stoi(svg.substr(svg.find(attribute) + attribute.size()));
}

/// Pictures one below the other, each within the element that it was.
std::string column_of(const std::vector<std::string>& pictures) {
  std::string inside;
  int width = 0;
  int y = 0;
  for (const std::string& picture : pictures) {
    inside += fmt::format("<svg y=\"{}\" {}", y, picture.substr(std::string_view("<svg ").size()));
    width = std::max(width, stated("width", picture));
    y += stated("height", picture);
  }
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\">\n{2}</svg>\n", width,
      y, inside);
}

}  // namespace

std::string bench_svg(const BenchArguments& arguments, const BenchResult& result) {
  std::vector<std::string> pictures;
  for (const SimulatedOperation* operation : arguments.operations) {
    if (operation->block == SimulatedOperation::Block::kNone) continue;
    pictures.push_back(to_svg(chart_of(arguments, result, *operation)));
  }
  return pictures.size() == 1 ? pictures.front() : column_of(pictures);
}

}  // namespace postroom::cli
