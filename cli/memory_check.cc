#include "cli/memory_check.h"

#include <fmt/format.h>

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

}  // namespace

std::uint64_t available_memory_bytes() {
  return std::min(system_available_bytes(), memory_left().value_or(kUnknown));
}

void check_memory(const std::string& what, std::uint64_t needed, std::uint64_t available) {
  if (needed <= available) return;
  throw std::runtime_error(fmt::format("{}: needs {} of memory, {} available", what,
                                       readable_bytes(needed), readable_bytes(available)));
}

}  // namespace postroom::cli
