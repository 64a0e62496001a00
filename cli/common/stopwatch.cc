#include "cli/common/stopwatch.h"

#include <algorithm>

namespace postroom::cli {

void Stopwatch::lap(const std::string& part) {
  const Clock::time_point now = Clock::now();
  const auto same = std::ranges::find(laps_, part, &std::pair<std::string, double>::first);
  const auto lap = same != laps_.end() ? same : laps_.insert(laps_.end(), {part, 0});
  lap->second += std::chrono::duration<double>(now - last_).count();
  last_ = now;
}

double Stopwatch::seconds_of(const std::string& part) const {
  const auto lap = std::ranges::find(laps_, part, &std::pair<std::string, double>::first);
  return lap != laps_.end() ? lap->second : 0;
}

double Stopwatch::total_seconds() const {
  double sum = 0;
  for (const auto& [name, seconds] : laps_) sum += seconds;
  return sum;
}

}  // namespace postroom::cli
