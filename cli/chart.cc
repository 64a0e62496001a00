#include "cli/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string_view>

#include "numa/svg.h"

namespace postroom::cli {
namespace {

constexpr double kWidth = 720;
constexpr double kHeight = 480;
constexpr double kLeft = 72;
constexpr double kRight = 24;
constexpr double kTop = 44;
constexpr double kBottom = 56;
constexpr int kWantedTicks = 8;

/// The first of 1, 2, 5, 10, … times a power of ten that is at least `least`.
double round_step(double least) {
  const double power = std::pow(10, std::floor(std::log10(least)));
  for (const double digit : {1.0, 2.0, 5.0}) {
    if (digit * power >= least) return digit * power;
  }
  return 10 * power;
}

/// One axis: the numbers that it shows, and where.
class Axis {
 public:
  Axis(double least, double most, double begin, double end) : begin_(begin), end_(end) {
    if (most <= least) most = least + 1;
    step_ = round_step((most - least) / kWantedTicks);
    least_ = std::floor(least / step_) * step_;
    most_ = std::ceil(most / step_) * step_;
  }

  double at(double value) const {
    return begin_ + (value - least_) / (most_ - least_) * (end_ - begin_);
  }
  std::vector<double> ticks() const {
    std::vector<double> values;
    const auto count = std::lround((most_ - least_) / step_);
    for (long i = 0; i <= count; ++i) values.push_back(least_ + static_cast<double>(i) * step_);
    return values;
  }

 private:
  double begin_;
  double end_;
  double step_;
  double least_;
  double most_;
};

class Drawing {
 public:
  explicit Drawing(const Chart& chart)
      : chart_(chart),
        x_(axis(&Point::first, kLeft, kWidth - kRight)),
        y_(axis(&Point::second, kHeight - kBottom, kTop)) {}

  std::string draw() {
    svg_ =
        fmt::format(R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0:.0f}" height="{1:.0f}" )"
                    R"(viewBox="0 0 {0:.0f} {1:.0f}" font-family="sans-serif" font-size="12">)"
                    "\n"
                    R"(<rect width="100%" height="100%" fill="white"/>)"
                    "\n",
                    kWidth, kHeight);
    text(kWidth / 2, 24, "middle", chart_.title, R"( font-size="15")");
    draw_axes();
    for (std::size_t i = 0; i < chart_.lines.size(); ++i) draw_line(i);
    draw_legend();
    return svg_ + "</svg>\n";
  }

 private:
  using Point = std::pair<double, double>;

  Axis axis(double Point::*coordinate, double begin, double end) const {
    double least = 0;
    double most = 0;
    bool first = true;
    for (const Chart::Line& line : chart_.lines) {
      for (const Point& point : line.points) {
        const double value = point.*coordinate;
        least = first ? value : std::min(least, value);
        most = first ? value : std::max(most, value);
        first = false;
      }
    }
    return {least, most, begin, end};
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
    for (const double value : x_.ticks()) {
      segment(x_.at(value), kTop, x_.at(value), bottom, "#e4e4e4");
      text(x_.at(value), bottom + 18, "middle", fmt::format("{:.6g}", value));
    }
    for (const double value : y_.ticks()) {
      segment(kLeft, y_.at(value), kWidth - kRight, y_.at(value), "#e4e4e4");
      text(kLeft - 6, y_.at(value) + 4, "end", fmt::format("{:.6g}", value));
    }
    segment(kLeft, bottom, kWidth - kRight, bottom, "black");
    segment(kLeft, kTop, kLeft, bottom, "black");
    text((kLeft + kWidth - kRight) / 2, kHeight - 14, "middle", chart_.x_label);
    const double middle = (kTop + bottom) / 2;
    text(18, middle, "middle", chart_.y_label,
         fmt::format(R"x( transform="rotate(-90 18 {:.1f})")x", middle));
  }

  void draw_line(std::size_t i) {
    if (chart_.style == Chart::Style::kPoints) return draw_points(i);
    std::string path;
    const Point* before = nullptr;
    for (const Point& point : chart_.lines[i].points) {
      if (before != nullptr && chart_.style == Chart::Style::kSteps) {
        path += fmt::format("{:.1f},{:.1f} ", x_.at(point.first), y_.at(before->second));
      }
      path += fmt::format("{:.1f},{:.1f} ", x_.at(point.first), y_.at(point.second));
      before = &point;
    }
    svg_ += fmt::format(R"(<polyline fill="none" stroke="{}" stroke-width="1.5" points="{}"/>)"
                        "\n",
                        svg_colour(i), path);
  }

  void draw_points(std::size_t i) {
    for (const Point& point : chart_.lines[i].points) {
      svg_ += fmt::format(R"(<circle cx="{:.1f}" cy="{:.1f}" r="2" fill="{}"/>)"
                          "\n",
                          x_.at(point.first), y_.at(point.second), svg_colour(i));
    }
  }

  void draw_legend() {
    double y = kTop + 14;
    for (std::size_t i = 0; i < chart_.lines.size(); ++i) {
      if (chart_.lines[i].name.empty()) continue;
      text(kWidth - kRight - 8, y, "end", chart_.lines[i].name,
           fmt::format(R"( fill="{}")", svg_colour(i)));
      y += 16;
    }
  }

  const Chart& chart_;
  Axis x_;
  Axis y_;
  std::string svg_;
};

}  // namespace

std::string to_svg(const Chart& chart) { return Drawing(chart).draw(); }

}  // namespace postroom::cli
