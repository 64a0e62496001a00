// One axis of a chart: which numbers it shows, where, and its ticks.
//
// A linear axis has about eight ticks, 1, 2 or 5 times a power of ten apart. A logarithmic one has
// ticks at powers of two if all its numbers are such powers, else at 1, 2, 5, 10, …, or over many
// decades at powers of ten.
//
//   const ChartAxis axis({1, 1000}, /*logarithmic=*/true, 72, 696);
//   axis.at(10);          // 280
//   axis.ticks()[0];      // {1, "1"}
#pragma once

#include <string>
#include <vector>

namespace postroom::cli {

class ChartAxis {
 public:
  struct Tick {
    double value;
    std::string label;
  };

  /// Shows all `values` between the places `begin` and `end`; a single one not at either.
  ChartAxis(const std::vector<double>& values, bool logarithmic, double begin, double end);

  /// Whether `value` has a place: not if it is not above zero on a logarithmic axis.
  bool shows(double value) const { return !logarithmic_ || value > 0; }
  double at(double value) const;
  const std::vector<Tick>& ticks() const { return ticks_; }

 private:
  void make_linear(double least, double most);
  void make_decades(double least, double most);
  void make_powers_of_two(double least, double most);

  bool logarithmic_;
  double begin_;
  double end_;
  double least_ = 0;
  double most_ = 1;
  std::vector<Tick> ticks_;
};

}  // namespace postroom::cli
