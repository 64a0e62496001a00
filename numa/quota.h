// What the control group (the container) of this process allows of CPU time and memory.
//
// A container with 2 CPUs on a box with 64 sees all 64; running 64 threads there only gets them
// stopped. The limits are in files: cgroup v2 "cpu.max", "memory.max" and "memory.high" (beyond
// which the group is slowed down), v1 "cpu.cfs_quota_us" with "cpu.cfs_period_us" and
// "memory.limit_in_bytes"; what is used of the memory is in others beside them. A group is bound by
// its parents too, so all the way up to the root is read and the tightest limit counts. A box may
// have both versions mounted at once.
//
// Who may call: any thread.
// Cost: some small files, about 0.2 ms.
// Errors: none; what cannot be read limits nothing.
//
//   if (const std::optional<double> cpus = cpu_quota()) use(whole_cpus(*cpus));
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace postroom {

/// Where to look; other paths let made-up trees be read.
struct CgroupPaths {
  std::string membership = "/proc/self/cgroup";  ///< which group this process is in
  std::string mount = "/sys/fs/cgroup";
};

/// CPUs' worth of time, such as 1.5; nothing when unlimited.
std::optional<double> cpu_quota(const CgroupPaths& paths = {});

/// Bytes; nothing when unlimited.
std::optional<std::uint64_t> memory_limit(const CgroupPaths& paths = {});

/// How many bytes more the group may use, nothing when unlimited: what its processes use counts,
/// but not the files that the system keeps in memory for them, because it gives those up first.
std::optional<std::uint64_t> memory_left(const CgroupPaths& paths = {});

/// The threads that a quota keeps busy: rounded up, at least 1.
int whole_cpus(double quota);

}  // namespace postroom
