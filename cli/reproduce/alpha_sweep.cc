#include "cli/reproduce/alpha_sweep.h"

#include <fmt/core.h>

#include <algorithm>

#include "collectives/algorithms/broadcast_lambda_tree.h"

namespace postroom::cli {

AlphaSweep::AlphaSweep(int processors, int step_percent) {
  for (int percent = 50; percent <= 70; percent += step_percent) {
    alphas_.emplace_back(percent, 100);
    trees_.push_back(PostalTree::fixed_alpha(alphas_.back(), processors));
  }
}

std::vector<Summary> AlphaSweep::measure(TimedMachine& machine, std::size_t bytes, int rounds,
                                         int repeats) const {
  const auto processors = static_cast<std::size_t>(trees_[0].processors());
  std::vector<std::vector<std::byte>> data(processors, std::vector<std::byte>(bytes));
  std::vector<Contestant> contestants;
  for (const PostalTree& tree : trees_) {
    contestants.push_back([&] {
      return machine.seconds(
          [&](Processor& self) {
            broadcast_lambda_tree(self, 0, data[static_cast<std::size_t>(self.id())], tree);
          },
          repeats);
    });
  }
  return in_turns(contestants, rounds);
}

std::vector<double> AlphaSweep::predict(const Rational& lambda) const {
  std::vector<double> times;
  for (const PostalTree& tree : trees_) times.push_back(tree.time(lambda).to_double());
  return times;
}

Chart::Line AlphaSweep::line(const std::string& name, const std::vector<double>& times,
                             double factor) const {
  Chart::Line line{.name = name, .marked = true};
  for (std::size_t i = 0; i < size(); ++i) line.points.emplace_back(alpha(i), times[i] * factor);
  return line;
}

std::string AlphaSweep::best(const std::vector<double>& times, double percent) const {
  const double most = *std::ranges::min_element(times) * (1 + percent / 100);
  double first = 1;
  double last = 0;
  for (std::size_t i = 0; i < size(); ++i) {
    if (times[i] > most) continue;
    first = std::min(first, alpha(i));
    last = std::max(last, alpha(i));
  }
  return first == last ? fmt::format("{:.2f}", first)
                       : fmt::format("{:.2f} to {:.2f}", first, last);
}

std::vector<double> medians(const std::vector<Summary>& times) {
  std::vector<double> list;
  for (const Summary& time : times) list.push_back(time.median);
  return list;
}

std::vector<double> least_times(const std::vector<Summary>& times) {
  std::vector<double> list;
  for (const Summary& time : times) list.push_back(time.min);
  return list;
}

}  // namespace postroom::cli
