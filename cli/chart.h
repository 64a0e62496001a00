// A chart of lines or points, as one self-contained SVG file.
//
// Linear axes with round ticks; the same chart gives the same bytes.
//
//   Chart chart{.title = "growth", .x_label = "lambda", .y_label = "gamma"};
//   chart.lines.push_back({"", {{1, 2.0}, {2, 1.618}}});
//   to_svg(chart);
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace postroom::cli {

struct Chart {
  enum class Style { kLine, kSteps, kPoints };

  struct Line {
    std::string name;  ///< in the legend; empty: not named
    std::vector<std::pair<double, double>> points;
  };

  std::string title;
  std::string x_label;
  std::string y_label;
  Style style = Style::kLine;
  std::vector<Line> lines;
};

std::string to_svg(const Chart& chart);

}  // namespace postroom::cli
