// How long a collective takes on a machine, call by call, in real time.
//
// Before each call every processor writes new data, so that it lies in its own cache, in lists that
// were not used in the last calls (cli/bench/buffer_ring.h); then all pass a barrier, and where
// each has a core of its own they wait for one moment of the clock besides, so that nobody gains
// from leaving the barrier first. The time of a call is from the first beginning to the last end.
// Making the data and checking the result are outside. All calls are made in one run of the
// machine.
//
// Errors: those of the operation; std::logic_error for a wrong result.
//
//   CallTimer timer({.processors = 2});
//   timer.time({.operation = &simulated_operation("broadcast"), .iterations = 100});
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "cli/simulate/simulated_operation.h"
#include "collectives/algorithm.h"
#include "fat_trees/box_tree.h"
#include "numa/cacheline.h"
#include "runtime/machine.h"

namespace postroom::cli {

struct TimedCalls {
  const SimulatedOperation* operation = nullptr;
  Algorithm algorithm = Algorithm::automatic;
  std::size_t block_bytes = 8;
  int root = 0;
  int warm_up = 0;
  int iterations = 1;
  std::chrono::nanoseconds limit = std::chrono::seconds(1);  ///< no more calls after it
  bool check = true;
};

class CallTimer {
 public:
  explicit CallTimer(const MachineOptions& options);

  /// Nanoseconds of each call; at least one, at most `iterations`. Those to warm up are left out;
  /// where the limit has passed before, it is the next call that counts.
  std::vector<double> time(const TimedCalls& calls);

  /// What Algorithm::automatic stands for in a call on this machine.
  Algorithm chosen(const SimulatedOperation& operation, std::size_t block_bytes);

  /// Processor::box(): nothing where all processors are near each other.
  std::optional<BoxTree> box();

  const Machine& machine() const noexcept { return machine_; }

 private:
  /// What one processor says of a call, in a line of its own for each.
  struct alignas(kNoSharing) Span {
    std::int64_t begin_ns = 0;
    std::int64_t end_ns = 0;
  };

  void run(Processor& self, const TimedCalls& calls, std::vector<double>& samples);
  void begin_together(Processor& self);
  double longest() const;

  Machine machine_;
  bool adds_words_;  // no model counts the bytes of messages
  bool own_cores_;   // each processor has one
  std::vector<Span> spans_;
  // Written by processor 0 before a barrier, read by the others after it.
  std::int64_t moment_ns_ = 0;
  bool over_ = false;
  std::uint64_t turn_ = 0;  // over all runs, so that no two calls have the same data
};

}  // namespace postroom::cli
