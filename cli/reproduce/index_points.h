// The index algorithm, measured for many block sizes and radices: [I], Figs. 4 to 6.
//
// All on 64 processors with one port, as in the paper. Times are in seconds.
//
//   IndexPoints points = index_grid({2, 64}, {32, 64, 128});
//   measure_index(points, machine, /*rounds=*/5, /*least_seconds=*/0);
//   break_even_in_words(points);   // "at 104 bytes"
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cli/common/chart.h"
#include "cli/common/robust.h"
#include "cli/common/text_table.h"
#include "cli/reproduce/timed_rounds.h"
#include "collectives/models/cost.h"
#include "collectives/models/linear_model.h"

namespace postroom::cli {

inline constexpr int kIndexProcessors = 64;

/// One setting of the algorithm, and how long it took.
struct IndexPoint {
  int radix;
  std::size_t bytes;  ///< of a block
  double model = 0;   ///< 0: none
  Summary time = {};
};
using IndexPoints = std::vector<IndexPoint>;

Cost cost_of(const IndexPoint& point);

/// All radices for each size.
IndexPoints index_grid(const std::vector<int>& radices, const std::vector<std::size_t>& sizes);

/// Measures all points in turns. Where `least_seconds` is not 0, a measurement consists of so many
/// runs that it takes about so long.
void measure_index(IndexPoints& points, TimedMachine& machine, int rounds, double least_seconds);

/// The β and τ with the least squares of relative errors.
LinearModel fitted_model(const IndexPoints& points);
void predict(IndexPoints& points, const LinearModel& model);
/// Of the measured times against the model's.
double median_error_percent(const IndexPoints& points);

TextTable index_table(const IndexPoints& points);
/// Time against size, a line for each radix.
Chart by_size(const IndexPoints& points, const std::string& title, const std::vector<int>& radices);
/// r = 2, r = n, and the fastest radix for each size.
Chart best_by_size(const IndexPoints& points, const std::string& title);
/// Time against radix, a line for each size, and one for what the model says.
Chart by_radix(const IndexPoints& points, const std::string& title,
               const std::vector<std::size_t>& sizes);

/// Where r = n becomes faster than r = 2 for good: "at 104 bytes", or "nowhere from 8 to 64 bytes".
std::string break_even_in_words(const IndexPoints& points);
/// The radix with the least time for each size: "8 for 32 bytes, 16 for 64 bytes".
std::string best_radices(const IndexPoints& points, const std::vector<std::size_t>& sizes);

}  // namespace postroom::cli
