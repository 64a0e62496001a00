// What a row of measured times comes to.
//
// Quantiles lie between the two nearest samples, in proportion (the median of four is the mean of
// the middle two). A geometric mean is that of ratios, so that twice as slow in one cell and twice
// as fast in another cancel.
//
//   summarize({3, 1, 2}).median;      // 2
//   geometric_mean({0.5, 2});         // 1
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace postroom::cli {

struct Summary {
  std::size_t samples = 0;
  double min = 0;
  double lower_quartile = 0;
  double median = 0;
  double upper_quartile = 0;
  double p99 = 0;

  /// The distance of the quartiles, as a part of the median; 0 where that is 0.
  double spread() const;
};

/// The `part`-quantile of what is in ascending order, 0 <= part <= 1. Precondition: not empty.
double quantile(std::span<const double> sorted, double part);

/// Precondition: there are samples.
Summary summarize(std::vector<double> samples);

/// Nothing where there are no values.
std::optional<double> median_of(std::vector<double> values);
/// Of positive values; nothing where there are none.
std::optional<double> geometric_mean(std::span<const double> values);

}  // namespace postroom::cli
