// One run of a collective under the postal model, and what the model says of it.
//
// The operation is the library's own, run in virtual time on a LightMachine, or on a Machine where
// a trace is wanted or, with a PostalClock, real time. Its result is checked, unless there are only
// sizes.
//
//   const Outcome outcome = simulate({.operation = &simulated_operation("broadcast"),
//                                     .algorithm = Algorithm::lambda_tree(Rational(9, 5)),
//                                     .processors = 64,
//                                     .lambda = Rational(9, 5)});
//   to_string(outcome.time);   // "46/5"
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "cli/simulate/simulated_operation.h"
#include "collectives/algorithm.h"
#include "collectives/models/cost.h"
#include "runtime/clock.h"
#include "runtime/postal_parameters.h"
#include "runtime/rational.h"
#include "runtime/trace.h"

namespace postroom::cli {

struct Scenario {
  const SimulatedOperation* operation = nullptr;
  Algorithm algorithm;
  int processors = 1;
  Rational lambda = 1;
  /// Where it depends on the level at which two processors meet; `lambda` is the least then.
  std::optional<Latency> lambda_of_pair = {};
  /// As VirtualClock's: where it is known, no pair has to be asked.
  Time ticks_per_unit = 0;
  int ports = 1;
  std::size_t block_bytes = 1;
  /// As PostalParameters::unit_bytes; 0: every message costs one unit.
  std::size_t unit_bytes = 0;
  int root = 0;
  bool trace = false;
  /// Messages have their size and no bytes, and all processors the same lists: see Payload. Not
  /// with a trace, nor in real time.
  bool sizes_only = false;
  /// Not 0: in real time, a unit being so long, under a PostalClock.
  std::chrono::nanoseconds t0{0};
};

/// In real time a run is made so often, after one to warm up; the time is the median of them.
inline constexpr int kRealRuns = 5;

struct Outcome {
  Scenario scenario;
  Cost cost;      ///< C1 and C2, of the round model
  Rational time;  ///< when the last processor has its result; see kRealRuns
  /// The least time that any algorithm takes, where this one does or another of the operation is
  /// known to.
  std::optional<Rational> optimum;
  std::optional<Rational> lower_bound;  ///< no algorithm takes less
  /// No algorithm has fewer rounds, nor fewer bytes, with so many ports: those of the machine, or
  /// more where the cost counts with more.
  std::optional<Cost> least_cost;
  int ports_of_least_cost = 1;
  Trace trace;  ///< empty unless it was asked for
};

/// Throws std::runtime_error when the memory does not suffice. As simulate() does, beforehand.
void check_room_for(const Scenario& scenario);

/// Errors: std::invalid_argument of the operation, before any message is sent; UsageError for times
/// that the clock cannot count;
/// std::runtime_error when the memory does not suffice.
Outcome simulate(const Scenario& scenario);

}  // namespace postroom::cli
