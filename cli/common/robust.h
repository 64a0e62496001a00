// Statistics that a few bad samples do not spoil.
//
//   const Summary summary = summarize({3, 1, 2, 90});   // median 2.5
//   fit_line({{1, 10}, {2, 12}, {3, 14}});              // slope 2, intercept 8
#pragma once

#include <span>
#include <utility>
#include <vector>

namespace postroom::cli {

/// A sample that is far off: further from the quartiles than three times their distance.
struct Outlier {
  int sample = 0;  ///< its place among the samples, from 0
  double value = 0;
};

struct Summary {
  double median = 0;
  double min = 0;
  double p99 = 0;  ///< what 99 of 100 are not above
  double lower_quartile = 0;
  double upper_quartile = 0;
  int samples = 0;
  std::vector<Outlier> outliers = {};  ///< in the order of the samples

  /// The distance of the quartiles, as a part of the median; 0 where that is 0.
  double spread() const;
};

/// At least one sample.
Summary summarize(std::vector<double> samples);

struct Line {
  double slope = 0;
  double intercept = 0;
};

/// The median of the slopes of all pairs of points, and of what then is left (Theil and Sen): exact
/// for points on a line, and right while less than 29 % of them are off it. At least two points
/// with different x.
Line fit_line(std::span<const std::pair<double, double>> points);

}  // namespace postroom::cli
