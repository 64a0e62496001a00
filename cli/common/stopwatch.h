// How long each part of the work took.
//
//   Stopwatch time;
//   …                   // read
//   time.lap("read");
//   time.laps();        // {{"read", 0.12}}
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace postroom::cli {

class Stopwatch {
 public:
  /// The time since the last lap, or since the stopwatch was made, was spent on `part`, on top of
  /// what was spent on it before.
  void lap(const std::string& part);

  const std::vector<std::pair<std::string, double>>& laps() const noexcept { return laps_; }
  double seconds_of(const std::string& part) const;
  double total_seconds() const;

 private:
  using Clock = std::chrono::steady_clock;

  Clock::time_point last_ = Clock::now();
  std::vector<std::pair<std::string, double>> laps_;
};

}  // namespace postroom::cli
