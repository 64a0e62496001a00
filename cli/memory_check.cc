#include "cli/memory_check.h"

#include <fmt/core.h>
#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <stdexcept>

#include "cli/units.h"
#include "numa/quota.h"

namespace postroom::cli {
namespace {

constexpr std::uint64_t kUnknown = std::numeric_limits<std::uint64_t>::max();

/// The line "MemAvailable:    23456789 kB".
std::uint64_t system_available_bytes() {
  std::ifstream file("/proc/meminfo");
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

void spare_addresses() {
  if (address_space_left() != kUnknown) mallopt(M_ARENA_MAX, 1);
}

std::uint64_t available_memory_bytes() {
  return std::min(
      {system_available_bytes(), memory_left().value_or(kUnknown), address_space_left()});
}

void check_memory(const std::string& what, std::uint64_t needed, std::uint64_t available) {
  if (needed <= available) return;
  throw std::runtime_error(fmt::format("{}: needs {} of memory, {} available", what,
                                       readable_bytes(needed), readable_bytes(available)));
}

}  // namespace postroom::cli
