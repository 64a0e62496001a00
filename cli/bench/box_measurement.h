// What `postroom measure` measures: the messages of a machine, a pair of leaves for each level of
// the box, the speed of copying, the cost of a barrier, and how quiet the box is.
//
//   const BoxMeasurement box = measure_box({});
//   box.profile();      // for Algorithm::automatic
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "cli/bench/latency_experiment.h"
#include "cli/common/progress.h"
#include "cli/common/robust.h"
#include "collectives/models/profile.h"
#include "runtime/machine.h"

namespace postroom::cli {

struct SizedLatencies {
  std::size_t bytes = 0;
  bool blocking = true;
  Latencies latencies;

  /// Whether the sender waits or only starts.
  const char* send() const { return blocking ? "waits" : "starts"; }
};

/// Messages between processors that meet at one level of the box, or in a model.
struct LevelMeasurement {
  std::string name;
  int leaves = 1;  ///< below one such part of the box
  std::vector<SizedLatencies> sizes;

  /// β and τ: a line through the times of one way, in nanoseconds, by bytes. Zero for one size.
  Line one_way() const;
  /// λ t0, t0 and τ of the smallest messages, sent without blocking.
  Profile::Level as_profile() const;
  /// Which of the figures mean little.
  std::vector<std::string> warnings() const;
};

/// What spoils figures, in words.
struct Quiet {
  double median_ns = 0;  ///< of a loop that always does the same
  double slow_part = 0;  ///< of its runs that took more than half as long again
  std::vector<std::string> warnings() const;
};

struct BoxMeasurement {
  std::string box;
  std::string measured_at;
  std::vector<LevelMeasurement> levels;  ///< of the box, from the inside to the outside
  Summary copy_small_ns;                 ///< a byte, in lists that stay in the caches
  Summary copy_large_ns;                 ///< a byte, in lists that do not
  Summary barrier_ns;
  int barrier_processors = 1;
  std::vector<std::string> warnings;

  Profile profile() const;
};

struct BoxOptions {
  int processors = 0;  ///< of the barrier; 0: as many as the box runs well
  std::vector<std::size_t> sizes;
  int samples = 25;
};

BoxMeasurement measure_box(const BoxOptions& options, Progress& progress);
/// How much memory that takes beside the program's own.
std::uint64_t memory_for(const BoxOptions& options);

/// Of a machine under a model's clock, a tick of which is `unit_ns` long.
LevelMeasurement measure_model(Machine& machine, const std::vector<std::size_t>& sizes, int samples,
                               double unit_ns, Progress& progress);

Quiet listen_to_box();

/// Now, as 2026-01-31T12:00:00Z.
std::string time_of_day();

}  // namespace postroom::cli
