#include "cli/stopwatch.h"

namespace postroom::cli {

void Stopwatch::lap(const std::string& part) {
  const Clock::time_point now = Clock::now();
  laps_.emplace_back(part, std::chrono::duration<double>(now - last_).count());
  last_ = now;
}

double Stopwatch::seconds_of(const std::string& part) const {
  double sum = 0;
  for (const auto& [name, seconds] : laps_) sum += name == part ? seconds : 0;
  return sum;
}

double Stopwatch::total_seconds() const {
  double sum = 0;
  for (const auto& [name, seconds] : laps_) sum += seconds;
  return sum;
}

}  // namespace postroom::cli
