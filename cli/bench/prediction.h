// Predicted times of the algorithms of an operation, side by side, and where one overtakes another.
//
//   const Prediction question{simulated_operation("alltoall"), 64, TimeModel::postal(2, 1e6)};
//   question.of_all(128).front();   // the fastest
//
// Cost: of each size once, since its times are kept; on thousands of processors with blocks of
// different sizes, seconds. Who may call: one thread at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <vector>

#include "cli/simulate/simulated_operation.h"
#include "collectives/algorithm.h"
#include "collectives/models/time_model.h"

namespace postroom::cli {

struct Predicted {
  Algorithm algorithm;
  double ns;
};

/// From `bytes` on `after` is faster than `before`. Without what follows from the size, λ and the
/// number of blocks, unless the algorithms were given.
struct BreakEven {
  std::int64_t bytes;
  Algorithm before;
  Algorithm after;
};

/// Who is the fastest. Who is as fast as the fastest at the size before does not take its place.
struct Winners {
  std::vector<Predicted> of_size;  ///< for each size, the algorithm with its parameters
  std::vector<BreakEven> break_evens;
};

struct Prediction {
  const SimulatedOperation& operation;
  int processors;
  TimeModel model;
  std::vector<Algorithm> only = {};  ///< not empty: no others, with these parameters
  /// Is told which algorithm is next, with how many bytes, and how much of that size is done.
  std::function<void(const Algorithm& algorithm, std::int64_t bytes, double done)> on_next = {};
  mutable std::map<std::int64_t, std::vector<Predicted>> known = {};  ///< by size, kept by of_all()

  /// Every algorithm with all parameters that are worth a try, the fastest first. Those that
  /// processors of this model cannot run, or not so many of them, are left out.
  std::vector<Predicted> of_all(std::int64_t bytes) const;
  /// Of each algorithm that which takes least.
  std::vector<Predicted> of_each(std::int64_t bytes) const;
  /// Of `sizes`, which grow; break-evens up to `last`. They are looked for between powers of two,
  /// and so are the same however far apart `sizes` are, unless one of these has a winner of its
  /// own. Throws UsageError where no algorithm runs.
  Winners winners(std::span<const std::int64_t> sizes, std::int64_t last) const;
};

}  // namespace postroom::cli
