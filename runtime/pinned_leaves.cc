#include "runtime/pinned_leaves.h"

#include <pthread.h>

#include <array>
#include <cstddef>
#include <mutex>

#include "numa/binding.h"

namespace postroom {
namespace {

// By the number that a CPU has to the operating system, which is the same for all topologies of
// this machine. Behind the lock.
constinit std::mutex mutex;
constinit std::array<int, kMostCpus> machines_of_cpu{};

bool is_known(int cpu) { return cpu >= 0 && static_cast<std::size_t>(cpu) < kMostCpus; }

int machines_of(int cpu) {
  return is_known(cpu) ? machines_of_cpu[static_cast<std::size_t>(cpu)] : 0;
}

// Where there is no memory for that, a child goes on with what its parent had.
[[maybe_unused]] const int kRegistered =
    pthread_atfork([] { mutex.lock(); }, [] { mutex.unlock(); },
                   [] {
                     machines_of_cpu.fill(0);
                     mutex.unlock();
                   });

}  // namespace

PinnedLeaves::PinnedLeaves(const Topology& topology, const Placement& alone)
    : leaves_(alone.leaf_of_processor) {
  const std::lock_guard lock(mutex);
  if (static_cast<int>(leaves_.size()) <= topology.leaf_count()) {
    std::vector<int> others;
    for (int leaf = 0; leaf < topology.leaf_count(); ++leaf) {
      others.push_back(machines_of(topology.leaf(leaf).os_index));
    }
    leaves_ = least_used_leaves(topology, static_cast<int>(leaves_.size()), others);
  }
  for (const int leaf : leaves_) {
    const int cpu = topology.leaf(leaf).os_index;
    if (is_known(cpu) && (cpus_.empty() || cpus_.back() != cpu)) cpus_.push_back(cpu);
  }
  for (const int cpu : cpus_) ++machines_of_cpu[static_cast<std::size_t>(cpu)];
}

PinnedLeaves::~PinnedLeaves() {
  if (forks_ != forks()) return;  // a forked child does not count the machines of its parent
  const std::lock_guard lock(mutex);
  for (const int cpu : cpus_) --machines_of_cpu[static_cast<std::size_t>(cpu)];
}

}  // namespace postroom
