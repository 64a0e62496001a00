// Machines for tests that sort many small arrays: the first run of one starts threads.
#pragma once

#include <cstddef>
#include <map>
#include <memory>

#include "runtime/machine.h"

namespace postroom {

/// One for each number of processors, not pinned.
inline Machine& machine_of(std::size_t processors) {
  static std::map<std::size_t, std::unique_ptr<Machine>> machines;
  auto& machine = machines[processors];
  if (!machine) {
    machine = std::make_unique<Machine>(
        MachineOptions{.processors = static_cast<int>(processors), .pin = false});
  }
  return *machine;
}

}  // namespace postroom
