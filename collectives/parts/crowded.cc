#include "collectives/parts/crowded.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <thread>

#include "numa/binding.h"
#include "numa/quota.h"

namespace postroom {
namespace {

// Asked before main(), in the thread that is not pinned yet.
const std::size_t cpus_at_start = [] {
  const std::size_t cpus = current_binding().cpus().size();
  return cpus != 0 ? cpus : std::thread::hardware_concurrency();
}();

// As many as work at once: a group of processes may be allowed less than its CPUs.
std::size_t cpus_at_once() {
  const std::optional<double> quota = cpu_quota();
  if (!quota) return cpus_at_start;
  return std::min(cpus_at_start, static_cast<std::size_t>(whole_cpus(*quota)));
}

}  // namespace

bool crowded(int processors) {
  static const std::size_t cpus = cpus_at_once();
  return static_cast<std::size_t>(processors) > cpus;
}

}  // namespace postroom
