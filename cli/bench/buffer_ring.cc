#include "cli/bench/buffer_ring.h"

#include <unistd.h>

#include <algorithm>

#include "numa/available_memory.h"
#include "numa/once.h"

namespace postroom::cli {

namespace {

std::uint64_t find_ring_bytes() {
  constexpr std::uint64_t kUsual = std::uint64_t{32} << 20U;
  std::uint64_t last = 0;
  for (const int cache : {_SC_LEVEL2_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE, _SC_LEVEL4_CACHE_SIZE}) {
    if (const long bytes = sysconf(cache); bytes > 0) last = static_cast<std::uint64_t>(bytes);
  }
  return std::min(2 * (last != 0 ? last : kUsual), available_memory_bytes() / 4);
}

}  // namespace

std::uint64_t ring_bytes() {
  static constinit FoundOnce<std::uint64_t> bytes;
  return bytes.get(find_ring_bytes);
}

std::size_t buffer_sets(std::uint64_t bytes_of_set) {
  const std::uint64_t sets = ring_bytes() / std::max<std::uint64_t>(bytes_of_set, 1);
  // One more than the caches have room for.
  return std::min(sets + 1, kMostBufferSets);
}

}  // namespace postroom::cli
