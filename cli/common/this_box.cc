#include "cli/common/this_box.h"

#include <fmt/core.h>
#include <sys/utsname.h>

#include <fstream>

#include "cli/common/units.h"
#include "numa/draw.h"
#include "numa/placement.h"
#include "numa/topology.h"
#include "runtime/version.h"

namespace postroom::cli {
namespace {

std::string cpu_model() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("model name")) continue;
    const std::size_t colon = line.find(": ");
    if (colon != std::string::npos) return line.substr(colon + 2);
  }
  utsname system{};  // arm64 Linux names no model
  return uname(&system) == 0 ? fmt::format("a CPU of {}", system.machine) : "an unknown CPU";
}

std::string compiler() {
#ifdef __clang__
  return fmt::format("Clang {}", __clang_version__);
#else
  return fmt::format("GCC {}", __VERSION__);
#endif
}

}  // namespace

std::string this_box_in_words() {
  const Topology box = Topology::this_machine();
  std::string words = cpu_model() + ", " + counted(box.core_count(), "core");
  if (box.leaf_count() != box.core_count()) {
    words += " with " + counted(box.leaf_count(), "hardware thread");
  }
  if (const std::uint64_t memory = box.total_memory_bytes(); memory != 0) {
    words += ", " + size_in_words(memory) + " of memory";
  }
  return words + fmt::format("; Postroom {}, {}", kVersion, compiler());
}

std::string cpu_in_full() {
  std::ifstream file("/proc/cpuinfo");
  std::string words;
  for (std::string line; std::getline(file, line) && !line.empty();) {
    for (const char* const beginning : {"model name", "flags", "Features", "CPU "}) {
      if (line.starts_with(beginning)) words += line + ';';
    }
  }
  return words;
}

std::string pinning_in_words(const Placement& placement) {
  const Topology box = Topology::this_machine();
  const std::vector<int>& leaves = placement.leaf_of_processor;
  std::string words;
  for (std::size_t first = 0; first < leaves.size();) {
    std::size_t last = first;
    while (last + 1 < leaves.size() && leaves[last + 1] == leaves[first]) ++last;
    words += fmt::format("{}{}", words.empty() ? "" : ", ", first);
    if (last > first) words += fmt::format("-{}", last);
    words += fmt::format(" on CPU {}", box.leaf(leaves[first]).os_index);
    first = last + 1;
  }
  return words;
}

int cores_of_this_box() { return default_processors(Topology::this_machine()); }

}  // namespace postroom::cli
