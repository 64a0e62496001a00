#include "cli/common/chart.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/common/chart_axis.h"
#include "pictures/svg.h"

namespace postroom::cli {
namespace {

constexpr double kWidth = 720;
constexpr double kHeight = 480;
constexpr double kLeft = 72;
constexpr double kRight = 24;
constexpr double kTop = 44;
constexpr double kBottom = 56;
constexpr double kLegendGap = 14;
constexpr double kLegendLine = 22;
constexpr double kLegendMark = 3.2;
constexpr double kRing = 4.6;
// By which what is at the same place lies around what is drawn after it.
constexpr double kAround = 1.6;
constexpr double kLetterWidth = 6.4;
constexpr const char* kDashes = R"( stroke-dasharray="6 4")";

std::string also(const std::string& name) { return "= " + name; }

/// As wide as the longest name, so that names cover nothing.
double legend_width(const Chart& chart) {
  std::size_t letters = chart.dashed_name.size();
  for (const Chart::Line& line : chart.lines) {
    letters = std::max(letters, line.name.size());
    for (const std::string& name : line.same) letters = std::max(letters, also(name).size());
  }
  if (letters == 0) return 0;
  return 2 * kLegendGap + kLegendLine + kLetterWidth * static_cast<double>(letters);
}

class Drawing {
 public:
  explicit Drawing(const Chart& chart)
      : chart_(chart),
        x_(axis(&Point::first, chart.x_scale, kLeft, kWidth - kRight)),
        y_(axis(&Point::second, chart.y_scale, kHeight - kBottom, kTop)) {}

  /// What stands between the tags of the svg element.
  std::string draw() {
    const bool two_lines = !chart_.subtitle.empty();
    text(kWidth / 2, two_lines ? 18 : 24, "middle", chart_.title, R"( font-size="15")");
    if (two_lines) {
      text(kWidth / 2, 34, "middle", chart_.subtitle, R"( font-size="11" fill="#555555")");
    }
    draw_axes();
    for (std::size_t i = 0; i < chart_.lines.size(); ++i) draw_line(i);
    draw_legend();
    return std::move(svg_);
  }

 private:
  using Point = std::pair<double, double>;

  ChartAxis axis(double Point::*coordinate, Chart::Scale scale, double begin, double end) const {
    std::vector<double> values;
    for (const Chart::Line& line : chart_.lines) {
      for (const Point& point : line.points) values.push_back(point.*coordinate);
    }
    return {values, scale == Chart::Scale::kLog, begin, end};
  }

  void text(double x, double y, const char* anchor, std::string_view words,
            std::string_view more = "") {
    svg_ += fmt::format(R"(<text x="{:.1f}" y="{:.1f}" text-anchor="{}"{}>{}</text>)"
                        "\n",
                        x, y, anchor, more, svg_text(words));
  }
  void segment(double x1, double y1, double x2, double y2, const char* colour) {
    svg_ += fmt::format(R"(<line x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}" stroke="{}"/>)"
                        "\n",
                        x1, y1, x2, y2, colour);
  }

  void draw_axes() {
    const double bottom = kHeight - kBottom;
    for (const auto& [value, label] : x_.ticks()) {
      segment(x_.at(value), kTop, x_.at(value), bottom, "#e4e4e4");
      text(x_.at(value), bottom + 18, "middle", label);
    }
    for (const auto& [value, label] : y_.ticks()) {
      segment(kLeft, y_.at(value), kWidth - kRight, y_.at(value), "#e4e4e4");
      text(kLeft - 6, y_.at(value) + 4, "end", label);
    }
    segment(kLeft, bottom, kWidth - kRight, bottom, "black");
    segment(kLeft, kTop, kLeft, bottom, "black");
    text((kLeft + kWidth - kRight) / 2, kHeight - 14, "middle", chart_.x_label);
    const double middle = (kTop + bottom) / 2;
    text(18, middle, "middle", chart_.y_label,
         fmt::format(R"x( transform="rotate(-90 18 {:.1f})")x", middle));
  }

  void draw_line(std::size_t i) {
    const std::vector<Point> points = shown(i);
    if (has_path(i)) draw_path(points, i);
    if (has_marks(i)) draw_points(points, i);
    if (!is_ring(i)) return;
    const double radius =
        kRing + kAround * (std::max(dots_at(points[0], 0) - 1, 0) + rings_at(points[0], i + 1));
    draw_ring(x_.at(points[0].first), y_.at(points[0].second), radius, colour(i));
  }

  std::vector<Point> shown(std::size_t i) const {
    std::vector<Point> points;
    for (const Point& point : chart_.lines[i].points) {
      if (x_.shows(point.first) && y_.shows(point.second)) points.push_back(point);
    }
    return points;
  }
  /// One point is no path.
  bool is_dot(std::size_t i) const { return shown(i).size() == 1; }
  bool has_path(std::size_t i) const { return chart_.style != Chart::Style::kPoints && !is_dot(i); }
  bool has_marks(std::size_t i) const {
    const Chart::Line& line = chart_.lines[i];
    return chart_.style == Chart::Style::kPoints || line.marked || (is_dot(i) && !line.dashed);
  }
  bool is_ring(std::size_t i) const { return is_dot(i) && !has_marks(i); }

  /// How many lines from the number `first` on are nothing but a mark, or a ring, at `point`.
  int dots_at(const Point& point, std::size_t first) const {
    int count = 0;
    for (std::size_t i = first; i < chart_.lines.size(); ++i) {
      count += is_dot(i) && !is_ring(i) && shown(i).front() == point ? 1 : 0;
    }
    return count;
  }
  int rings_at(const Point& point, std::size_t first) const {
    int count = 0;
    for (std::size_t i = first; i < chart_.lines.size(); ++i) {
      count += is_ring(i) && shown(i).front() == point ? 1 : 0;
    }
    return count;
  }

  void draw_path(const std::vector<Point>& points, std::size_t i) {
    std::string path;
    const Point* before = nullptr;
    for (const Point& point : points) {
      if (before != nullptr && chart_.style == Chart::Style::kSteps) {
        path += fmt::format("{:.1f},{:.1f} ", x_.at(point.first), y_.at(before->second));
      }
      path += fmt::format("{:.1f},{:.1f} ", x_.at(point.first), y_.at(point.second));
      before = &point;
    }
    svg_ += fmt::format(R"(<polyline fill="none" stroke="{}" stroke-width="1.5"{} points="{}"/>)"
                        "\n",
                        colour(i), dashes(i), path);
  }

  /// The line whose looks it has.
  std::size_t look(std::size_t i) const { return chart_.lines[i].colour.value_or(i); }
  const char* colour(std::size_t i) const { return svg_colour(look(i)); }
  /// Whether it has the colour of one before it.
  bool is_repeated(std::size_t i) const { return look(i) / kSvgColours.size() % 2 == 1; }

  /// Dashes of lines that coincide begin at different places, so that each is seen.
  std::string dashes(std::size_t i) const {
    if (chart_.lines[i].dashed) {
      return fmt::format(R"({} stroke-dashoffset="{}")",
                         is_repeated(i) ? R"( stroke-dasharray="6 3 1.5 3")" : kDashes,
                         look(i) % 5 * 2);
    }
    return is_repeated(i) ? R"( stroke-dasharray="1.5 2.5")" : "";
  }

  void draw_points(const std::vector<Point>& points, std::size_t i) {
    double radius = chart_.lines[i].marked || is_dot(i) ? 2.6 : 2;
    if (is_dot(i)) radius += kAround * dots_at(points[0], i + 1);
    for (const auto& [x, y] : points) draw_mark(i, x_.at(x), y_.at(y), radius);
  }

  void draw_mark(std::size_t i, double x, double y, double radius) {
    if (!is_repeated(i)) {
      svg_ += fmt::format(R"(<circle cx="{:.1f}" cy="{:.1f}" r="{}" fill="{}"/>)"
                          "\n",
                          x, y, radius, colour(i));
    } else {
      svg_ += fmt::format(R"(<rect x="{:.1f}" y="{:.1f}" width="{}" height="{}" fill="{}"/>)"
                          "\n",
                          x - radius, y - radius, 2 * radius, 2 * radius, colour(i));
    }
  }

  void draw_ring(double x, double y, double radius, const char* colour) {
    svg_ += fmt::format(R"(<circle cx="{:.1f}" cy="{:.1f}" r="{}" fill="none" stroke="{}"/>)"
                        "\n",
                        x, y, radius, colour);
  }

  /// Whether what is dashed has but one point each.
  bool all_dashed_are_rings() const {
    for (std::size_t i = 0; i < chart_.lines.size(); ++i) {
      if (chart_.lines[i].dashed && !is_ring(i)) return false;
    }
    return true;
  }

  void draw_legend() {
    const double left = kWidth - kRight + kLegendGap;
    const double length = kLegendLine - 4;
    double y = kTop + 14;
    const auto entry = [&](bool path, const char* stroke, const std::string& dashes,
                           const std::string& name) {
      if (path) {
        svg_ += fmt::format(R"(<line x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}" stroke="{}" )"
                            R"(stroke-width="2"{}/>)"
                            "\n",
                            left, y - 4, left + length, y - 4, stroke, dashes);
      }
      text(left + kLegendLine, y, "start", name);
      y += 18;
    };
    for (std::size_t i = 0; i < chart_.lines.size(); ++i) {
      if (chart_.lines[i].name.empty()) continue;
      if (has_marks(i)) draw_mark(i, left + length / 2, y - 4, kLegendMark);
      if (is_ring(i)) draw_ring(left + length / 2, y - 4, kRing, colour(i));
      entry(has_path(i), colour(i), dashes(i), chart_.lines[i].name);
      for (const std::string& name : chart_.lines[i].same) entry(false, "", "", also(name));
    }
    if (chart_.dashed_name.empty()) return;
    const bool rings = all_dashed_are_rings();
    if (rings) draw_ring(left + length / 2, y - 4, kRing, "#555555");
    entry(!rings, "#555555", kDashes, chart_.dashed_name);
  }

  const Chart& chart_;
  ChartAxis x_;
  ChartAxis y_;
  std::string svg_;
};

}  // namespace

std::string to_svg(const Chart& chart) { return to_svg(std::vector<Chart>{chart}); }

std::string to_svg(const std::vector<Chart>& charts) {
  double width = 0;
  for (const Chart& chart : charts) width = std::max(width, kWidth + legend_width(chart));
  std::string svg =
      fmt::format(R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0:.0f}" height="{1:.0f}" )"
                  R"(viewBox="0 0 {0:.0f} {1:.0f}" font-family="sans-serif" font-size="12">)"
                  "\n"
                  R"(<rect width="100%" height="100%" fill="white"/>)"
                  "\n",
                  width, kHeight * static_cast<double>(charts.size()));
  for (std::size_t i = 0; i < charts.size(); ++i) {
    const std::string chart = Drawing(charts[i]).draw();
    svg += charts.size() == 1 ? chart
                              : fmt::format("<g transform=\"translate(0 {:.0f})\">\n{}</g>\n",
                                            kHeight * static_cast<double>(i), chart);
  }
  return svg + "</svg>\n";
}

}  // namespace postroom::cli
