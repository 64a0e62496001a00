#include "numa/pin.h"

#include <array>
#include <cerrno>
#include <cstddef>
#include <system_error>

#ifdef __linux__
#include <sched.h>
#endif

namespace postroom {
namespace {

/// 0, or what the system answered.
int pin_to_cpu(int cpu) {
#ifdef __linux__
  constexpr std::size_t kWordBits = 8 * sizeof(unsigned long);
  const auto bit = static_cast<std::size_t>(cpu);
  if (bit >= kMostCpus) return EINVAL;
  std::array<unsigned long, kMostCpus / kWordBits> mask{};
  mask[bit / kWordBits] = 1UL << (bit % kWordBits);
  const auto* set = reinterpret_cast<const cpu_set_t*>(mask.data());
  return sched_setaffinity(0, sizeof(mask), set) == 0 ? 0 : errno;
#else
  static_cast<void>(cpu);
  return ENOSYS;
#endif
}

}  // namespace

std::string pin_this_thread(const Topology& topology, int leaf) {
  if (!topology.is_this_machine()) {
    return "Threads are not pinned: the topology (" + topology.name() + ") is not this machine.";
  }
  if (leaf < 0 || leaf >= topology.leaf_count()) {
    return "The thread is not pinned: there is no leaf " + std::to_string(leaf) + " among " +
           std::to_string(topology.leaf_count()) + ".";
  }
  const int cpu = topology.leaf(leaf).os_index;
  const int error = cpu < 0 ? EINVAL : pin_to_cpu(cpu);
  if (error == 0) return "";
  return "The system refused to pin a thread to CPU " + std::to_string(cpu) + ": " +
         std::generic_category().message(error) + ".";
}

}  // namespace postroom
