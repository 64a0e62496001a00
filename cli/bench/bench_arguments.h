// The arguments of `postroom bench`, checked.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/simulate/simulated_operation.h"
#include "collectives/algorithm.h"
#include "runtime/rational.h"

namespace postroom::cli {

/// The machine that is measured.
struct BenchMachine {
  enum class Clock {
    kWall,     ///< as fast as the box is
    kPostal,   ///< real time, with the latency of the postal model put in
    kVirtual,  ///< the postal model's time, exactly
  };

  Clock clock = Clock::kWall;
  int processors = 2;
  Rational lambda = 1;             ///< of the model, as the three below
  std::chrono::nanoseconds t0{1};  ///< in virtual time, one unit counts as a nanosecond
  int ports = 1;
  std::size_t unit_bytes = 0;  ///< as PostalParameters::unit_bytes
  /// Of processors that take turns on one thread; 0: threads as the machine has them by itself.
  std::uint64_t schedule_seed = 0;

  bool is_model() const { return clock != Clock::kWall; }
  /// Whether times differ from run to run.
  bool is_real() const { return clock != Clock::kVirtual; }
};

/// As --algorithm names it; without parameters it is the one that the operation lists, for the
/// machine.
struct NamedAlgorithm {
  Algorithm algorithm;
  bool has_parameters = false;
};

struct BenchArguments {
  BenchMachine machine;         ///< the first that is measured
  std::vector<int> processors;  ///< of all of them, rising
  std::vector<const SimulatedOperation*> operations;
  std::vector<NamedAlgorithm> algorithms;  ///< empty: all that the operation has
  std::vector<std::size_t> sizes;          ///< of blocks, rising
  std::size_t factor = 8;                  ///< from size to size
  int root = 0;
  int iterations = 100;  ///< of each cell, unless the time is up
  int warm_up = 10;
  std::chrono::nanoseconds limit{0};  ///< for an algorithm and a size
  bool check = true;
  bool guidelines = false;
  bool vs_mpi = false;
  std::optional<std::string> json, csv, svg;
};

/// Throws UsageError, or std::invalid_argument for an algorithm that there is not.
BenchArguments parse_bench(std::span<const std::string> words);

/// What `named` is for `operation` on `machine`.
Algorithm algorithm_on(const BenchMachine& machine, const SimulatedOperation& operation,
                       const NamedAlgorithm& named);

/// The same for a single machine, of so many processors.
BenchArguments on_processors(BenchArguments arguments, int processors);

/// Those at which `operation` is measured: one, 0, where there is no data.
std::vector<std::size_t> sizes_for(const SimulatedOperation& operation,
                                   const BenchArguments& arguments);

}  // namespace postroom::cli
