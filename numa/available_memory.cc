#include "numa/available_memory.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

namespace postroom {
namespace {

constexpr std::uint64_t kUnknown = std::numeric_limits<std::uint64_t>::max();

/// The line "MemAvailable:    23456789 kB".
std::uint64_t system_available_bytes(const std::string& path) {
  std::ifstream file(path);
  for (std::string name, unit; file >> name;) {
    std::uint64_t kibibytes = 0;
    if (name == "MemAvailable:" && file >> kibibytes) return kibibytes * 1024;
    std::getline(file, unit);
  }
  return kUnknown;
}

/// How much is left of a limit of this process, of which it has taken what a number of its statm
/// says, in pages; the first is 1.
std::uint64_t left_of(auto resource, int number) {
  rlimit limit = {};
  if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kUnknown;
  std::uint64_t pages = 0;
  std::ifstream file("/proc/self/statm");
  for (int i = 0; i < number; ++i) file >> pages;
  const std::uint64_t taken = pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return limit.rlim_cur - std::min<std::uint64_t>(limit.rlim_cur, taken);
}

}  // namespace

std::uint64_t physical_memory_bytes() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page_bytes = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page_bytes <= 0) return 0;
  return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page_bytes);
}

std::uint64_t address_space_left() {
  // All that is mapped; what is private and can be written, and the stack, which that limit leaves
  // out.
  return std::min(left_of(RLIMIT_AS, 1), left_of(RLIMIT_DATA, 6));
}

std::uint64_t available_memory_bytes(const MemoryPaths& paths) {
  return std::min({system_available_bytes(paths.system),
                   memory_left(paths.group).value_or(kUnknown),
                   memory_left_on_nodes(paths.nodes).value_or(kUnknown), address_space_left()});
}

}  // namespace postroom
