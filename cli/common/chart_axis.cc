#include "cli/common/chart_axis.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iterator>

#include "numa/rounding.h"

namespace postroom::cli {
namespace {

constexpr int kWantedTicks = 8;
constexpr int kMostTicks = 12;

/// The first of 1, 2, 5, 10, … times a power of ten that is at least `least`.
double round_step(double least) {
  const double power = std::pow(10, std::floor(std::log10(least)));
  for (const double digit : {1.0, 2.0, 5.0}) {
    if (digit * power >= least) return digit * power;
  }
  return 10 * power;
}

bool is_power_of_two(double value) {
  int exponent = 0;
  return std::frexp(value, &exponent) == 0.5;
}

/// 1024 becomes 1K, a million 1M; what is below is written out.
std::string label_of_power(double value) {
  constexpr std::array kUnits = {"", "K", "M", "G", "T"};
  std::size_t unit = 0;
  for (; value >= 1024 && unit + 1 < kUnits.size(); ++unit) value /= 1024;
  return fmt::format("{:.6g}{}", value, kUnits[unit]);
}

}  // namespace

ChartAxis::ChartAxis(const std::vector<double>& values, bool logarithmic, double begin, double end)
    : logarithmic_(logarithmic), begin_(begin), end_(end) {
  std::vector<double> shown;
  std::ranges::copy_if(values, std::back_inserter(shown),
                       [&](double value) { return shows(value); });
  if (shown.empty()) shown = {1, 2};
  const auto [least, most] = std::ranges::minmax(shown);
  if (!logarithmic) {
    make_linear(least, most);
  } else if (std::ranges::all_of(shown, is_power_of_two)) {
    make_powers_of_two(least, most);
  } else {
    make_decades(least, most);
  }
}

double ChartAxis::at(double value) const {
  const double share = logarithmic_ ? std::log(value / least_) / std::log(most_ / least_)
                                    : (value - least_) / (most_ - least_);
  return begin_ + share * (end_ - begin_);
}

void ChartAxis::make_linear(double least, double most) {
  if (most <= least) {
    const double around = least == 0 ? 1 : std::abs(least) / 2;
    least -= around;
    most += around;
  }
  const double step = round_step((most - least) / kWantedTicks);
  least_ = std::floor(least / step) * step;
  most_ = std::ceil(most / step) * step;
  const auto count = std::lround((most_ - least_) / step);
  for (long i = 0; i <= count; ++i) {
    const double value = least_ + static_cast<double>(i) * step;
    // A sum of steps may miss zero by a hair.
    ticks_.push_back({value, fmt::format("{:.6g}", std::abs(value) < step / 1000 ? 0 : value)});
  }
}

void ChartAxis::make_decades(double least, double most) {
  constexpr std::array kDigits = {1.0, 2.0, 5.0};
  std::vector<double> all;
  for (double power = std::pow(10, std::floor(std::log10(least)) - 1); power <= most * 10;
       power *= 10) {
    for (const double digit : kDigits) all.push_back(digit * power);
  }
  auto first = std::ranges::upper_bound(all, least * (1 + 1e-9)) - all.begin() - 1;
  auto last = std::ranges::lower_bound(all, most * (1 - 1e-9)) - all.begin();
  if (last == first) {
    --first;
    ++last;
  }
  least_ = all[static_cast<std::size_t>(first)];
  most_ = all[static_cast<std::size_t>(last)];
  const bool only_powers = last - first >= kMostTicks;
  for (auto i = first; i <= last; ++i) {
    if (only_powers && i % static_cast<long>(kDigits.size()) != 0) continue;
    const double value = all[static_cast<std::size_t>(i)];
    ticks_.push_back({value, fmt::format("{:.6g}", value)});
  }
}

void ChartAxis::make_powers_of_two(double least, double most) {
  if (most <= least) {
    least /= 2;
    most *= 2;
  }
  least_ = least;
  most_ = most;
  const auto powers = std::lround(std::log2(most / least)) + 1;
  const auto every = ceil_divide<long>(powers, kMostTicks);
  for (long i = 0; i < powers; i += every) {
    const double value = std::ldexp(least, static_cast<int>(i));
    ticks_.push_back({value, label_of_power(value)});
  }
}

}  // namespace postroom::cli
