// From which NUMA nodes the memory of this process may come, where these are not all of the box:
// in a cpuset (containers), or under a policy that binds (`numactl --membind`).
//
// Who may call: any thread. Cost: some small files, about 0.1 ms. Errors: none; what cannot be read
// limits nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace postroom {

/// Where the system says so; other paths let made-up files be read.
struct MemoryNodePaths {
  std::string status = "/proc/self/status";        ///< Mems_allowed_list
  std::string nodes = "/sys/devices/system/node";  ///< has_memory, node0/meminfo …
};

/// The nodes with memory, by their numbers to the operating system; none where it does not say.
std::vector<int> nodes_with_memory(const MemoryNodePaths& paths = {});

/// What is free on the nodes that this process may use, with what the system would give up of the
/// files that it keeps there; nothing where it may use all.
std::optional<std::uint64_t> memory_left_on_nodes(const MemoryNodePaths& paths = {});

}  // namespace postroom
