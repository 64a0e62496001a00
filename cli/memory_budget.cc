#include "cli/memory_budget.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/failure.h"
#include "cli/memory_check.h"
#include "cli/units.h"

namespace postroom::cli {
namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
constexpr std::uint64_t kLeastDataBytes = 16 * kMiB;

/// Seen: 8 MiB with two processors, and room for the pieces of text that each prints.
std::uint64_t own_bytes(int processors) {
  return (10 + 3 * static_cast<std::uint64_t>(processors)) * kMiB;
}

}  // namespace

MemoryBudget::MemoryBudget(std::optional<std::uint64_t> allowed, int processors) {
  const std::uint64_t available = available_memory_bytes();
  if (!allowed) {
    data_bytes_ = available;
    run_bytes_ = std::max(available / 2, kLeastDataBytes);
    return;
  }
  const std::uint64_t own = own_bytes(processors);
  if (*allowed < own + kLeastDataBytes) {
    throw UsageError(
        fmt::format("--buffer-size: {} is too little; at least {}M with {} processor{}",
                    readable_bytes(*allowed), (own + kLeastDataBytes) / kMiB, processors,
                    processors == 1 ? "" : "s"));
  }
  data_bytes_ = std::max(std::min(*allowed, available), own + kLeastDataBytes) - own;
  run_bytes_ = data_bytes_;
}

}  // namespace postroom::cli
