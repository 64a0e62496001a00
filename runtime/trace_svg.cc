#include "runtime/trace_svg.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <ostream>
#include <string_view>
#include <utility>
#include <vector>

#include "pictures/svg.h"
#include "runtime/trace_times.h"

namespace postroom {
namespace {

constexpr double kLeft = 64;  // more where the times are longer
constexpr double kLetterWidth = 6.5;
constexpr double kTop = 64;
constexpr double kRight = 40;
constexpr double kBottom = 56;
constexpr double kMostWidth = 1000;  // of the columns, unless that leaves no room between them
constexpr double kMostHeight = 720;  // of the time
constexpr std::size_t kMostTooltips = 20'000;
constexpr std::int64_t kMostStep = 1'000'000'000'000'000'000;
constexpr std::string_view kNoMessages = "no messages";

// The first of 1, 2, 5, 10, 20, 50, … that is at least `least`.
std::int64_t round_step(double least) {
  for (std::int64_t power = 1;; power *= 10) {
    for (const std::int64_t digit : {1, 2, 5}) {
      if (static_cast<double>(digit * power) >= least || power >= kMostStep) {
        return digit * power;
      }
    }
  }
}

class Drawing {
 public:
  Drawing(std::ostream& out, const Trace& trace, const SvgOptions& options)
      : out_(out),
        trace_(trace),
        options_(options),
        real_(trace.is_wall_time()),
        times_(trace),
        begin_(times_.begin()),
        end_(times_.end()) {
    find_operations();
    const int gaps = std::max(1, trace.processors() - 1);
    column_ = std::clamp(kMostWidth / gaps, 3.0, 72.0);
    // A unit of model time is not drawn taller than 48 pixels.
    const double ticks = static_cast<double>(std::max<Time>(end_ - begin_, 1));
    const double tallest = real_ ? kMostHeight : 48.0 / static_cast<double>(trace.ticks_per_unit());
    tick_ = std::min(kMostHeight / ticks, tallest);
    label_times();
  }

  void draw() {
    const double title_width = 8 * static_cast<double>(options_.title.size());
    const double note_width =
        operations_.empty() ? kLetterWidth * static_cast<double>(kNoMessages.size()) : 0;
    const double width =
        left_ + std::max({200.0, title_width, note_width, column_ * (trace_.processors() - 1)}) +
        kRight;
    const double height = y(end_) + kBottom;
    out_ << fmt::format(
        R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0:.0f}" height="{1:.0f}" )"
        R"(viewBox="0 0 {0:.0f} {1:.0f}" font-family="sans-serif" font-size="12">)"
        "\n"
        R"(<rect width="100%" height="100%" fill="white"/>)"
        "\n",
        width, height);
    text(left_ - 16, 22, "start", svg_text(options_.title), R"( font-size="15")");
    if (!operations_.empty()) draw_times();
    draw_processors();
    draw_messages();
    draw_legend();
    out_ << "</svg>\n";
  }

 private:
  void find_operations() {
    for (const Trace::Message& m : trace_.messages()) {
      std::string name = operation_of(m);
      const auto known = std::ranges::find(operations_, name);
      operation_.push_back(static_cast<std::size_t>(known - operations_.begin()));
      if (known == operations_.end()) operations_.push_back(std::move(name));
    }
  }

  double x(int processor) const { return left_ + column_ * processor; }
  double y(Time time) const { return kTop + static_cast<double>(time - begin_) * tick_; }
  const char* colour(std::size_t operation) const { return svg_colour(operation); }

  void text(double at_x, double at_y, const char* anchor, std::string_view words,
            std::string_view attributes = "") {
    if (words.empty()) return;
    out_ << fmt::format(R"(<text x="{:.1f}" y="{:.1f}" text-anchor="{}"{}>{}</text>)"
                        "\n",
                        at_x, at_y, anchor, attributes, words);
  }
  void line(double x1, double y1, double x2, double y2, std::string_view attributes = "") {
    out_ << fmt::format(R"(<line x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}"{}/>)"
                        "\n",
                        x1, y1, x2, y2, attributes);
  }
  std::string id(char kind, std::size_t message) const {
    return options_.has_ids ? fmt::format(R"( id="{}{}")", kind, message) : "";
  }

  template <class Visit>
  void for_each_step(const Visit& visit) const {
    for (Time time = begin_;; time += step_) {
      visit(time);
      if (end_ - time < step_) return;
    }
  }

  // At each unit of time, or at each few when they are close together, and at the end.
  void label_times() {
    const Time unit = real_ ? 1 : trace_.ticks_per_unit();
    const double spacing = real_ ? 36 : 16;
    const std::int64_t units = round_step(spacing / (tick_ * static_cast<double>(unit)));
    step_ = std::min(units, std::numeric_limits<Time>::max() / unit) * unit;
    for_each_step([&](Time time) {
      // Else the end's own number goes there.
      if (time == end_ || y(end_) - y(time) >= 12) labels_.emplace_back(time, times_.label(time));
    });
    if ((end_ - begin_) % step_ != 0) labels_.emplace_back(end_, times_.label(end_));
    for (const auto& [_, words] : labels_) {
      left_ = std::max(left_, 20 + kLetterWidth * static_cast<double>(words.size()));
    }
  }

  // A line across at each step, a dashed one at the end.
  void draw_times() {
    const double right = x(trace_.processors() - 1) + 12;
    out_ << R"(<g stroke="#dddddd" stroke-width="1" fill="#555555">)" << '\n';
    for_each_step([&](Time time) { line(left_ - 12, y(time), right, y(time)); });
    out_ << "</g>\n"
         << R"(<g fill="#555555" font-size="11">)" << '\n';
    for (const auto& [time, words] : labels_) text(left_ - 16, y(time) + 4, "end", words);
    out_ << "</g>\n"
         << R"(<g stroke="#999999" stroke-dasharray="4 3">)" << '\n';
    line(left_ - 12, y(end_), right, y(end_));
    out_ << "</g>\n";
  }

  void draw_processors() {
    const int p = trace_.processors();
    out_ << R"(<g stroke="#bbbbbb" stroke-width=")" << (column_ < 8 ? "0.3" : "1") << R"(">)"
         << '\n';
    for (int id = 0; id < p; ++id) line(x(id), kTop - 6, x(id), y(end_) + 6);
    out_ << "</g>\n<g>\n";
    const double digits = static_cast<double>(std::to_string(p).size());
    const auto step = static_cast<int>(round_step((6 + 7 * digits) / column_));
    for (int id = 0; id < p; id += step) text(x(id), kTop - 12, "middle", std::to_string(id));
    out_ << "</g>\n";
  }

  void draw_messages() {
    const bool crowded = column_ < 8;
    for (std::size_t i = 0; i < operations_.size(); ++i) {
      out_ << fmt::format(
          R"(<defs><marker id="arrow{}" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" )"
          R"(markerHeight="7" orient="auto"><path d="M0,1 L8,4 L0,7 z" fill="{}"/></marker></defs>)"
          "\n",
          i, colour(i));
      out_ << fmt::format(
          R"(<g stroke="{0}" fill="{0}" stroke-width="{1}" stroke-opacity="{2}"{3}>)"
          "\n",
          colour(i), crowded ? "0.7" : "1.3", crowded ? "0.7" : "0.9",
          crowded ? "" : fmt::format(R"x( marker-end="url(#arrow{})")x", i));
      for_each_of(i, [this](std::size_t message) { draw_flight(message); });
      out_ << "</g>\n"
           << fmt::format(R"(<g stroke="{}" stroke-width="{}" stroke-opacity="0.45">)"
                          "\n",
                          colour(i), std::min(4.0, column_ / 2));
      for_each_of(i, [this](std::size_t message) { draw_busy(message); });
      out_ << "</g>\n";
    }
  }

  template <class Draw>
  void for_each_of(std::size_t operation, Draw draw) {
    const auto& messages = trace_.messages();
    for (std::size_t i = 0; i < messages.size(); ++i) {
      if (operation_[i] == operation) draw(i);
    }
  }

  // A message to oneself that takes no time is a dot.
  void draw_flight(std::size_t message) {
    const Trace::Message& m = trace_.messages()[message];
    const bool dot = m.source == m.target && m.start == m.arrival;
    std::string shape =
        dot ? fmt::format(R"(<circle cx="{:.1f}" cy="{:.1f}" r="2")", x(m.source), y(m.start))
            : fmt::format(R"(<path d="M{:.1f},{:.1f} L{:.1f},{:.1f}")", x(m.source), y(m.start),
                          x(m.target), y(m.arrival));
    shape += id('m', message);
    if (trace_.messages().size() > kMostTooltips) {
      out_ << shape << "/>\n";
      return;
    }
    out_ << shape
         << fmt::format("><title>{}: {} → {}, {} byte{}, round {}, from {} to {}</title></{}>\n",
                        svg_text(operation_of(m)), m.source, m.target, m.bytes,
                        m.bytes == 1 ? "" : "s", m.round, times_.label(m.start),
                        times_.label(m.arrival), dot ? "circle" : "path");
  }

  void draw_busy(std::size_t message) {
    const Trace::Message& m = trace_.messages()[message];
    if (m.busy == 0) return;
    line(x(m.source), y(m.start), x(m.source), y(m.start + m.busy) - 0.8, id('b', message));
  }

  void draw_legend() {
    double at = left_ - 12;
    const double base = y(end_) + 36;
    if (operations_.empty()) text(at, base, "start", kNoMessages);
    for (std::size_t i = 0; i < operations_.size(); ++i) {
      out_ << fmt::format(R"(<rect x="{:.1f}" y="{:.1f}" width="14" height="4" fill="{}"/>)"
                          "\n",
                          at, base - 6, colour(i));
      text(at + 19, base, "start", svg_text(operations_[i]));
      at += 36 + 7 * static_cast<double>(operations_[i].size());
    }
  }

  std::ostream& out_;
  const Trace& trace_;
  const SvgOptions& options_;
  bool real_;
  TraceTimes times_;
  Time begin_;
  Time end_;
  std::vector<std::string> operations_;
  std::vector<std::size_t> operation_;  // of each message
  double column_ = 0;                   // pixels between processors
  double tick_ = 0;                     // pixels of a tick
  double left_ = kLeft;                 // of the first processor
  Time step_ = 1;                       // between lines across
  std::vector<std::pair<Time, std::string>> labels_;
};

}  // namespace

void write_svg(std::ostream& out, const Trace& trace, const SvgOptions& options) {
  Drawing(out, trace, options).draw();
}

}  // namespace postroom
