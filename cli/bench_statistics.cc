#include "cli/bench_statistics.h"

#include <algorithm>
#include <cmath>

namespace postroom::cli {

double Summary::spread() const {
  return median == 0 ? 0 : (upper_quartile - lower_quartile) / median;
}

double quantile(std::span<const double> sorted, double part) {
  const double place = part * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  const double rest = place - static_cast<double>(below);
  return sorted[below] + rest * (sorted[above] - sorted[below]);
}

Summary summarize(std::vector<double> samples) {
  std::ranges::sort(samples);
  return {.samples = samples.size(),
          .min = samples.front(),
          .lower_quartile = quantile(samples, 0.25),
          .median = quantile(samples, 0.5),
          .upper_quartile = quantile(samples, 0.75),
          .p99 = quantile(samples, 0.99)};
}

std::optional<double> median_of(std::vector<double> values) {
  if (values.empty()) return std::nullopt;
  return summarize(std::move(values)).median;
}

std::optional<double> geometric_mean(std::span<const double> values) {
  if (values.empty()) return std::nullopt;
  double logarithms = 0;
  for (const double value : values) logarithms += std::log(value);
  return std::exp(logarithms / static_cast<double>(values.size()));
}

}  // namespace postroom::cli
