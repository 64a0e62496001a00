// The operations that `postroom simulate` knows: how each is run, and what must come out.
//
// Each one is the library's own collective, with data whose right result every processor knows, so
// a run checks itself. Lists are bytes; reductions add them modulo 256.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "collectives/algorithm.h"
#include "collectives/cost.h"
#include "collectives/time_model.h"
#include "runtime/processor.h"

namespace postroom::cli {

struct SimulatedOperation {
  /// What the clock knows about the least time for it, for messages that cost one unit whatever
  /// their size.
  enum class Bound {
    kNone,        ///< nothing of its own
    kOptimal,     ///< T_λ(p), and that is reached
    kReachWhole,  ///< T_λ(p), and that is reached where λ is whole
    kReach,       ///< T_λ(p): each processor must hear of all others
  };

  std::string_view name;
  std::span<const Algorithm> (*algorithms)();
  /// Runs it on blocks of `block_bytes`; throws std::logic_error for a wrong result.
  void (*run)(Processor& self, int root, std::size_t block_bytes, const Algorithm& algorithm);
  Cost (*cost)(int processors, std::int64_t block_bytes, Algorithm algorithm);
  /// Its predicted time in nanoseconds: see collectives/time_model.h.
  double (*time)(int processors, std::int64_t block_bytes, const Algorithm& algorithm,
                 const TimeModel& model);
  /// How many blocks a processor holds, in and out.
  std::int64_t (*blocks_held)(std::int64_t processors);
  bool has_root;
  /// Whether no two processors wait for each other in turn: see runtime/light_machine.h.
  bool one_way;
  Bound bound;
};

std::span<const SimulatedOperation> simulated_operations();

/// UsageError names all of them.
const SimulatedOperation& simulated_operation(std::string_view name);

}  // namespace postroom::cli
