// Means over the rows and cells of a sweep.
//
// A geometric mean is that of ratios, so that twice as slow in one cell and twice as fast in
// another cancel.
//
//   geometric_mean({0.5, 2});   // 1
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace postroom::cli {

/// Nothing where there are no values.
std::optional<double> median_of(std::vector<double> values);
/// Of positive values; nothing where there are none.
std::optional<double> geometric_mean(std::span<const double> values);

}  // namespace postroom::cli
