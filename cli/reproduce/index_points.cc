#include "cli/reproduce/index_points.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "collectives/algorithm.h"
#include "collectives/alltoall.h"

namespace postroom::cli {
namespace {

double measured(const IndexPoint& point) { return point.time.median * 1e3; }

/// The size at which r = n becomes faster than r = 2 for good, between two that were measured.
std::optional<double> break_even(const IndexPoints& points) {
  const Chart chart = by_size(points, "", {2, kIndexProcessors});
  const auto& few_rounds = chart.lines[0].points;
  const auto& little_data = chart.lines[1].points;
  for (std::size_t i = few_rounds.size(); i-- > 0;) {
    const double ahead = little_data[i].second - few_rounds[i].second;
    if (ahead <= 0) continue;
    if (i + 1 == few_rounds.size()) return {};
    const double behind = little_data[i + 1].second - few_rounds[i + 1].second;
    const double share = ahead / (ahead - behind);
    return few_rounds[i].first + share * (few_rounds[i + 1].first - few_rounds[i].first);
  }
  return {};
}

}  // namespace

Cost cost_of(const IndexPoint& point) {
  return alltoall_cost(kIndexProcessors, static_cast<std::int64_t>(point.bytes),
                       Algorithm::bruck(point.radix));
}

IndexPoints index_grid(const std::vector<int>& radices, const std::vector<std::size_t>& sizes) {
  IndexPoints points;
  for (const std::size_t bytes : sizes) {
    for (const int radix : radices) points.push_back({radix, bytes});
  }
  return points;
}

void measure_index(IndexPoints& points, TimedMachine& machine, int rounds, double least_seconds) {
  std::size_t most = 0;
  for (const IndexPoint& point : points) most = std::max(most, point.bytes);
  std::vector<std::vector<std::byte>> out(kIndexProcessors,
                                          std::vector<std::byte>(most * kIndexProcessors));
  std::vector<std::vector<std::byte>> in = out;
  const auto timed = [&](const IndexPoint& point, int repeats) {
    return machine.seconds(
        [&](Processor& self) {
          const auto me = static_cast<std::size_t>(self.id());
          const std::size_t all = point.bytes * kIndexProcessors;
          alltoall_bytes(self, std::span(out[me]).first(all), std::span(in[me]).first(all),
                         Algorithm::bruck(point.radix));
        },
        repeats);
  };
  std::vector<Contestant> contestants;
  for (const IndexPoint& point : points) {
    const int repeats =
        least_seconds == 0
            ? 1
            : static_cast<int>(std::clamp(least_seconds / timed(point, 1), 1.0, 100.0));
    contestants.push_back([&timed, &point, repeats] { return timed(point, repeats); });
  }
  const std::vector<Summary> times = in_turns(contestants, rounds);
  for (std::size_t i = 0; i < points.size(); ++i) points[i].time = times[i];
}

TextTable index_table(const IndexPoints& points) {
  TextTable table({"bytes", "radix", "C1", "C2", "model_ms", "measured_ms", "lower_quartile",
                   "upper_quartile"});
  const auto ms = [](double seconds) { return fmt::format("{:.4f}", seconds * 1e3); };
  for (const IndexPoint& point : points) {
    const Cost cost = cost_of(point);
    table.row({point.bytes, point.radix, cost.rounds, cost.bytes, ms(point.model),
               ms(point.time.median), ms(point.time.lower_quartile),
               ms(point.time.upper_quartile)});
  }
  return table;
}

Chart by_size(const IndexPoints& points, const std::string& title,
              const std::vector<int>& radices) {
  Chart chart{.title = title,
              .x_label = "bytes from each processor to each other",
              .y_label = "milliseconds",
              .x_scale = Chart::Scale::kLog,
              .y_scale = Chart::Scale::kLog};
  for (const int radix : radices) {
    Chart::Line line{.name = fmt::format("r = {}", radix), .marked = true};
    for (const IndexPoint& point : points) {
      if (point.radix == radix) {
        line.points.emplace_back(static_cast<double>(point.bytes), measured(point));
      }
    }
    chart.lines.push_back(line);
  }
  return chart;
}

Chart best_by_size(const IndexPoints& points, const std::string& title) {
  Chart chart = by_size(points, title, {2, kIndexProcessors});
  Chart::Line best{.name = "best of r", .marked = true};
  for (const auto& [bytes, first] : chart.lines[0].points) {
    double least = first;
    for (const IndexPoint& point : points) {
      if (static_cast<double>(point.bytes) == bytes) least = std::min(least, measured(point));
    }
    best.points.emplace_back(bytes, least);
  }
  chart.lines.push_back(best);
  return chart;
}

Chart by_radix(const IndexPoints& points, const std::string& title,
               const std::vector<std::size_t>& sizes) {
  Chart chart{
      .title = title, .x_label = "radix", .y_label = "milliseconds", .x_scale = Chart::Scale::kLog};
  std::vector<Chart::Line> models;
  for (const std::size_t bytes : sizes) {
    Chart::Line line{.name = fmt::format("{} bytes", bytes), .marked = true};
    Chart::Line model{
        .name = models.empty() ? "by the model" : "", .dashed = true, .colour = chart.lines.size()};
    for (const IndexPoint& point : points) {
      if (point.bytes != bytes) continue;
      line.points.emplace_back(point.radix, measured(point));
      model.points.emplace_back(point.radix, point.model * 1e3);
    }
    chart.lines.push_back(line);
    models.push_back(model);
  }
  chart.lines.insert(chart.lines.end(), models.begin(), models.end());
  return chart;
}

std::string break_even_in_words(const IndexPoints& points) {
  const std::optional<double> bytes = break_even(points);
  if (bytes) return fmt::format("at {:.0f} bytes", *bytes);
  const auto [least, most] = std::ranges::minmax(points, {}, &IndexPoint::bytes);
  return fmt::format("nowhere from {} to {} bytes", least.bytes, most.bytes);
}

std::string best_radices(const IndexPoints& points, const std::vector<std::size_t>& sizes) {
  std::string words;
  for (const std::size_t bytes : sizes) {
    const IndexPoint* best = nullptr;
    for (const IndexPoint& point : points) {
      if (point.bytes != bytes) continue;
      if (best == nullptr || point.time.median < best->time.median) best = &point;
    }
    words += fmt::format("{}{} for {} bytes", words.empty() ? "" : ", ", best->radix, bytes);
  }
  return words;
}

LinearModel fitted_model(const IndexPoints& points) {
  double rr = 0, rb = 0, bb = 0, r = 0, b = 0;
  for (const IndexPoint& point : points) {
    const Cost cost = cost_of(point);
    const double rounds = static_cast<double>(cost.rounds) / point.time.median;
    const double bytes = static_cast<double>(cost.bytes) / point.time.median;
    rr += rounds * rounds;
    rb += rounds * bytes;
    bb += bytes * bytes;
    r += rounds;
    b += bytes;
  }
  const double determinant = rr * bb - rb * rb;
  return {.start_up = (r * bb - b * rb) / determinant, .per_byte = (b * rr - r * rb) / determinant};
}

void predict(IndexPoints& points, const LinearModel& model) {
  for (IndexPoint& point : points) point.model = model.time(cost_of(point));
}

double median_error_percent(const IndexPoints& points) {
  std::vector<double> errors;
  for (const IndexPoint& point : points) {
    errors.push_back(100 * std::abs(point.time.median / point.model - 1));
  }
  return summarize(std::move(errors)).median;
}

}  // namespace postroom::cli
