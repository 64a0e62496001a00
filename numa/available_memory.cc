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

/// What this process has mapped: the first number of that file, in pages.
std::uint64_t mapped_bytes() {
  std::uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace

std::uint64_t address_space_left() {
  rlimit limit = {};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kUnknown;
  return limit.rlim_cur - std::min<std::uint64_t>(limit.rlim_cur, mapped_bytes());
}

std::uint64_t available_memory_bytes(const MemoryPaths& paths) {
  return std::min({system_available_bytes(paths.system),
                   memory_left(paths.group).value_or(kUnknown), address_space_left()});
}

}  // namespace postroom
