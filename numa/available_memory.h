// How much memory this process may still take.
//
// Who may call: any thread. Cost: some small files, about 0.3 ms. Errors: none; what cannot be read
// limits nothing.
//
//   if (needed > available_memory_bytes()) refuse();
#pragma once

#include <cstdint>
#include <string>

#include "numa/memory_nodes.h"
#include "numa/quota.h"

namespace postroom {

/// Where the system says how much memory there is; other paths let made-up files be read.
struct MemoryPaths {
  std::string system = "/proc/meminfo";
  CgroupPaths group{};
  MemoryNodePaths nodes{};
};

/// What the system calls available (MemAvailable), at most what is left of the limit of the control
/// group, of the addresses, and on the nodes that the process may use. 2^64-1 where the system does
/// not say.
std::uint64_t available_memory_bytes(const MemoryPaths& paths = {});

/// All that the box has, whoever may use it; 0 where the system does not say.
std::uint64_t physical_memory_bytes();

/// What is left of the addresses that this process may have (`ulimit -v`), or of those that may be
/// its data (`ulimit -d`), of which also memory that was never touched takes some; 2^64-1 without a
/// limit.
std::uint64_t address_space_left();

}  // namespace postroom
