// A chart of lines or points, as one self-contained SVG file.
//
// Axes with round ticks, linear or logarithmic; on a logarithmic one points that are not above zero
// are left out. A line of one point is a mark, a dashed one a ring. Names of lines stand to the
// right of the picture, each with its line and its mark; where the colours begin again, lines are
// dotted and marks are squares. The same chart gives the same bytes.
//
//   Chart chart{.title = "growth", .x_label = "lambda", .y_label = "gamma"};
//   chart.lines.push_back({"", {{1, 2.0}, {2, 1.618}}});
//   to_svg(chart);
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace postroom::cli {

struct Chart {
  enum class Style { kLine, kSteps, kPoints };
  enum class Scale { kLinear, kLog };

  struct Line {
    std::string name = {};  ///< in the legend; empty: not named
    std::vector<std::pair<double, double>> points = {};
    bool dashed = false;
    bool marked = false;                     ///< with a mark on each point
    std::optional<std::size_t> colour = {};  ///< that of the line of this number, and its mark
    std::vector<std::string> same = {};      ///< what else lies there, below its name in the legend
  };

  std::string title;
  std::string x_label;
  std::string y_label;
  Style style = Style::kLine;
  std::vector<Line> lines = {};
  std::string subtitle = {};     ///< how the figures came about
  std::string dashed_name = {};  ///< what all dashed lines are, in the legend; empty: not named
  Scale x_scale = Scale::kLinear;
  Scale y_scale = Scale::kLinear;
};

std::string to_svg(const Chart& chart);
/// Several, one below the other.
std::string to_svg(const std::vector<Chart>& charts);

}  // namespace postroom::cli
