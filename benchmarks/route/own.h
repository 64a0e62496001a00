// What each processor gives to a router that is measured, and how long all of them took.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <vector>

namespace postroom::benchmarks {

using Clock = std::chrono::steady_clock;
using Elements32 = std::vector<std::uint32_t>;

struct Own {
  std::vector<int> targets;
  Elements32 elements;
  Clock::time_point begin;
  Clock::time_point end;
};

/// From when the first processor begins until the last one has its elements.
inline double ms_of(const std::vector<Own>& all) {
  const Clock::duration time =
      std::ranges::max(all, {}, &Own::end).end - std::ranges::min(all, {}, &Own::begin).begin;
  return std::chrono::duration<double, std::milli>(time).count();
}

}  // namespace postroom::benchmarks
