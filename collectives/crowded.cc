#include "collectives/crowded.h"

#include <cstddef>
#include <thread>

#include "numa/binding.h"

namespace postroom {
namespace {

// Asked before main(), in the thread that is not pinned yet.
const std::size_t cpus_at_start = [] {
  const std::size_t cpus = current_binding().cpus().size();
  return cpus != 0 ? cpus : std::thread::hardware_concurrency();
}();

}  // namespace

bool crowded(int processors) { return static_cast<std::size_t>(processors) > cpus_at_start; }

}  // namespace postroom
