#include "collectives/parts/crowded.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <optional>
#include <thread>

#include "numa/binding.h"
#include "numa/quota.h"

namespace postroom {
namespace {

std::size_t cpus_of_this_thread() {
  const std::size_t cpus = current_binding().cpus().size();
  return cpus != 0 ? cpus : std::thread::hardware_concurrency();
}

// Asked before main(), in the thread that is not pinned yet; 0 until then.
const std::size_t cpus_at_start = cpus_of_this_thread();

// As many as work at once: a group of processes may be allowed less than its CPUs.
std::size_t cpus_at_once() {
  const std::size_t cpus = cpus_at_start != 0 ? cpus_at_start : cpus_of_this_thread();
  const std::optional<double> quota = cpu_quota();
  if (!quota) return cpus;
  return std::min(cpus, static_cast<std::size_t>(whole_cpus(*quota)));
}

// Not a static with a guard: a child that was forked off while another thread asks would wait for
// ever. 0: not known yet.
constinit std::atomic<std::size_t> known{0};

}  // namespace

bool crowded(int processors) {
  // relaxed: whoever sees 0 asks as well, for the same answer.
  std::size_t cpus = known.load(std::memory_order_relaxed);
  if (cpus == 0) {
    cpus = cpus_at_once();
    // relaxed: as above.
    if (cpus_at_start != 0) known.store(cpus, std::memory_order_relaxed);
  }
  return static_cast<std::size_t>(processors) > cpus;
}

// relaxed: by a test, before its processors start.
void suppose_cpus(std::size_t cpus) { known.store(cpus, std::memory_order_relaxed); }

}  // namespace postroom
