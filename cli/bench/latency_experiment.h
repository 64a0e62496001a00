// λ and t0 of a machine, by the two experiments of [P].
//
// Source: [P], section 2.2. Experiment 1: processor 0 sends a message to 1, 2, …, k, one after
// another, and k answers: T = t0 (k - 1 + 2 λ). Experiment 2: processor k then sends to k-1, …, 0:
// T = 2 t0 (k - 1 + λ). Both for k = 1, 2, …: the slope of a line through the times gives t0, where
// it begins gives λ. Two processors measure one pair of leaves: all k messages go to the same one,
// which in the model makes no difference.
//
// Each k is measured many times, after one that does not count: the root is another processor each
// time, and the buffers rotate. The lower quartile counts: what disturbs a run only ever makes it
// longer, and on a box that others use it may disturb more than half of them.
//
//   Machine machine({.processors = 9, .clock = std::make_shared<VirtualClock>(Rational(9, 5))});
//   measure_latency(machine, {.unit_ns = 1}).of[0].lambda;   // 1.8
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "cli/common/progress.h"
#include "cli/common/robust.h"
#include "runtime/machine.h"

namespace postroom::cli {

/// So many buffers of each processor take turns.
inline constexpr std::size_t kLatencyBuffers = 4;

struct LatencyOptions {
  std::size_t bytes = 8;
  bool blocking = true;   ///< send; otherwise start_send, and the waiting at the end
  int most_messages = 8;  ///< the largest k; with more than two processors at most all others
  int samples = 15;
  int runs_in_sample = 1;  ///< of which the mean is a sample: a clock is not read for free
  double unit_ns = 1;      ///< what a tick of the machine's clock is
  /// Advanced by one for each sample and what warms up, 2 * (samples + 1) in all.
  Progress* progress = nullptr;
};

/// A sample of k messages that is far off.
struct FarOff {
  int messages = 1;  ///< k
  int sample = 0;    ///< from 0, after the one that does not count
  double ns = 0;
  double median_ns = 0;  ///< of the samples of this k
};

struct LatencyResult {
  double t0_ns = 0;
  double lambda = 0;        ///< not finite where t0 is not above 0
  double worst_spread = 0;  ///< of the quartiles of any k, as a part of the median
  std::vector<FarOff> outliers = {};
  int samples = 0;
};

struct Latencies {
  std::array<LatencyResult, 2> of;  ///< of experiment 1 and 2
  double one_way_ns = 0;            ///< half of experiment 1 with k = 1
};

/// At least two processors.
Latencies measure_latency(Machine& machine, const LatencyOptions& options);

}  // namespace postroom::cli
