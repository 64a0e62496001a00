#include "cli/bench/bench_statistics.h"

#include <cmath>
#include <utility>

#include "cli/common/robust.h"

namespace postroom::cli {

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
