// Machines for tests that sort many small arrays: the first run of one starts threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>

#include "runtime/machine.h"

namespace postroom {

/// One for each number of processors, not pinned. With a seed all are on one thread, and in each
/// step of a sort they work one after the other, in an order that it draws: so one may be through
/// before another has begun.
inline Machine& machine_of(std::size_t processors, std::uint64_t schedule_seed = 0) {
  static std::map<std::pair<std::size_t, std::uint64_t>, std::unique_ptr<Machine>> machines;
  auto& machine = machines[{processors, schedule_seed}];
  if (!machine) {
    machine = std::make_unique<Machine>(MachineOptions{.processors = static_cast<int>(processors),
                                                       .threads = schedule_seed == 0 ? 0 : 1,
                                                       .schedule_seed = schedule_seed,
                                                       .pin = false});
  }
  return *machine;
}

}  // namespace postroom
