// The time of a broadcast against α: [P], Figs. 10 to 13.
//
// Measured on a machine, each α in turn; beside it what the model says of the same trees.
//
//   TimedMachine machine(64, std::make_shared<PostalClock>(Rational(9, 5), 1ms));
//   const AlphaSweep sweep(64, /*step_percent=*/1);
//   const std::vector<Summary> times = sweep.measure(machine, /*bytes=*/512, /*rounds=*/9);
//   sweep.line("median", medians(times), 1e3);
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cli/common/chart.h"
#include "cli/common/robust.h"
#include "cli/reproduce/timed_rounds.h"
#include "collectives/models/postal_tree.h"
#include "runtime/rational.h"

namespace postroom::cli {

class AlphaSweep {
 public:
  /// α = 0.50, 0.50 + step, … up to 0.70.
  AlphaSweep(int processors, int step_percent);

  std::size_t size() const { return trees_.size(); }
  double alpha(std::size_t i) const { return alphas_[i].to_double(); }

  /// Seconds for each α; `repeats` broadcasts count as one measurement.
  std::vector<Summary> measure(TimedMachine& machine, std::size_t bytes, int rounds,
                               int repeats = 1) const;
  /// Units of time for each α, by the model.
  std::vector<double> predict(const Rational& lambda) const;

  Chart::Line line(const std::string& name, const std::vector<double>& times, double factor) const;

  /// "0.56 to 0.59": the first and the last α whose time is within `percent` of the least.
  std::string best(const std::vector<double>& times, double percent) const;

 private:
  std::vector<Rational> alphas_;
  std::vector<PostalTree> trees_;
};

/// One number of each summary alone.
std::vector<double> medians(const std::vector<Summary>& times);
std::vector<double> least_times(const std::vector<Summary>& times);

}  // namespace postroom::cli
