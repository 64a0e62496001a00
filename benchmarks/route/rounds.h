// Times of contestants on patterns, measured in short rounds.
//
// In each round every contestant does all patterns once, one right after another, in a new order
// each time (seeded): so no pattern always follows the same other one, and whatever disturbs the
// machine for a while disturbs all. Patterns are compared within a round only: each time is divided
// by the mean of its contestant's times in that round; reported are the medians of these ratios,
// and the medians of the times themselves. A first round does not count.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <numeric>
#include <random>
#include <vector>

namespace postroom::benchmarks {

inline double median_of(std::vector<double> numbers) {
  const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
  std::ranges::nth_element(numbers, middle);
  return *middle;
}

/// The medians of one contestant, by pattern.
struct OfPatterns {
  std::vector<double> ms;
  std::vector<double> ratios;  ///< to the mean of the round
};

/// `call(contestant, pattern)` measures once and returns the time in ms.
inline std::vector<OfPatterns> in_rounds(
    std::size_t contestants, std::size_t patterns, int rounds,
    const std::function<double(std::size_t contestant, std::size_t pattern)>& call) {
  using Lists = std::vector<std::vector<double>>;
  std::vector<Lists> ms(contestants, Lists(patterns));
  std::vector<Lists> ratios(contestants, Lists(patterns));
  std::vector<std::size_t> order(patterns);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::mt19937_64 random(2024);
  for (int round = 0; round <= rounds; ++round) {
    for (std::size_t contestant = 0; contestant < contestants; ++contestant) {
      std::ranges::shuffle(order, random);
      std::vector<double> times(patterns);
      for (const std::size_t pattern : order) times[pattern] = call(contestant, pattern);
      if (round == 0) continue;
      const double mean = std::reduce(times.begin(), times.end()) / static_cast<double>(patterns);
      for (std::size_t pattern = 0; pattern < patterns; ++pattern) {
        ms[contestant][pattern].push_back(times[pattern]);
        ratios[contestant][pattern].push_back(times[pattern] / mean);
      }
    }
  }
  std::vector<OfPatterns> medians(contestants);
  for (std::size_t contestant = 0; contestant < contestants; ++contestant) {
    for (const auto& list : ms[contestant]) medians[contestant].ms.push_back(median_of(list));
    for (const auto& list : ratios[contestant]) {
      medians[contestant].ratios.push_back(median_of(list));
    }
  }
  return medians;
}

}  // namespace postroom::benchmarks
