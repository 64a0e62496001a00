#include "cli/common/robust.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace postroom::cli {
namespace {

/// Of sorted values; between two of them where need be.
double quantile(const std::vector<double>& sorted, double part) {
  const double place = part * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], place - static_cast<double>(below));
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return quantile(values, 0.5);
}

}  // namespace

double Summary::spread() const {
  return median == 0 ? 0 : (upper_quartile - lower_quartile) / median;
}

Summary summarize(std::vector<double> samples) {
  constexpr double kFar = 3;
  const std::vector<double> in_order = samples;
  std::ranges::sort(samples);
  Summary summary;
  summary.median = quantile(samples, 0.5);
  summary.min = samples.front();
  summary.p99 = quantile(samples, 0.99);
  summary.lower_quartile = quantile(samples, 0.25);
  summary.upper_quartile = quantile(samples, 0.75);
  summary.samples = static_cast<int>(samples.size());
  const double far = kFar * (summary.upper_quartile - summary.lower_quartile);
  int place = 0;
  for (const double sample : in_order) {
    if (sample < summary.lower_quartile - far || sample > summary.upper_quartile + far) {
      summary.outliers.push_back({place, sample});
    }
    ++place;
  }
  return summary;
}

Line fit_line(std::span<const std::pair<double, double>> points) {
  std::vector<double> slopes;
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = i + 1; j < points.size(); ++j) {
      const double run = points[j].first - points[i].first;
      if (run != 0) slopes.push_back((points[j].second - points[i].second) / run);
    }
  }
  Line line;
  line.slope = median(slopes);
  std::vector<double> rests;
  for (const auto& [x, y] : points) rests.push_back(y - line.slope * x);
  line.intercept = median(rests);
  return line;
}

}  // namespace postroom::cli
