#include "cli/sort/memory_budget.h"

#include <algorithm>
#include <limits>

namespace postroom::cli {
namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
constexpr std::uint64_t kLeastDataBytes = 16 * kMiB;
// Seen: 8 MiB with two processors, and room for the pieces of text that each prints.
constexpr std::uint64_t kOwnBytes = 10 * kMiB;
constexpr std::uint64_t kOwnBytesOfEach = 3 * kMiB;
// Of addresses, which may be limited too: threads are still to be made, each with a stack.
constexpr std::uint64_t kStackBytes = 8 * kMiB;

std::uint64_t own_bytes(int processors) {
  return kOwnBytes + kOwnBytesOfEach * static_cast<std::uint64_t>(processors);
}

}  // namespace

std::uint64_t least_memory_bytes(int processors) { return own_bytes(processors) + kLeastDataBytes; }

int most_processors_within(std::uint64_t bytes) {
  const std::uint64_t most = (bytes - kOwnBytes - kLeastDataBytes) / kOwnBytesOfEach;
  return static_cast<int>(std::min<std::uint64_t>(most, std::numeric_limits<int>::max()));
}

MemoryBudget::MemoryBudget(std::optional<std::uint64_t> allowed, int processors,
                           const MemoryPaths& paths) {
  const std::uint64_t own = own_bytes(processors);
  const std::uint64_t stacks = kStackBytes * static_cast<std::uint64_t>(processors);
  const std::uint64_t addresses = address_space_left();
  const std::uint64_t available =
      std::min(available_memory_bytes(paths), addresses - std::min(addresses, stacks));
  const std::uint64_t data =
      std::max(std::min(allowed.value_or(available), available), own + kLeastDataBytes) - own;
  data_bytes_ = data;
  run_bytes_ = allowed ? data : std::max(data / 2, kLeastDataBytes);
}

}  // namespace postroom::cli
