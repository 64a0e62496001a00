#include "cli/bench/bench_bandwidth.h"

#include <algorithm>
#include <vector>

#include "cli/simulate/uneven_operations.h"

namespace postroom::cli {
namespace {

/// Bytes in and out of the busiest processor, by those of the operation.
double bus_factor(const SimulatedOperation& operation, int processors, std::size_t block_bytes) {
  const double p = processors;
  const double others = (p - 1) / p;
  // By how much the blocks differ that are not all of one size.
  const auto part = [&](const std::vector<std::size_t>& counts, bool largest) {
    const auto [least, most] = std::ranges::minmax(counts);
    return static_cast<double>((largest ? most : least) * uneven_element_bytes(block_bytes)) /
           (static_cast<double>(block_bytes) * p);
  };
  if (operation.name == "allreduce") return 2 * others;
  if (operation.name == "alltoallv") {
    return (p - 1) * part(skewed_counts(processors, block_bytes), true);
  }
  if (operation.name == "route") {
    return (p - 1) * part(falling_counts(processors, block_bytes), true);
  }
  if (operation.uneven) return 1 - part(skewed_counts(processors, block_bytes), false);
  return operation.block == SimulatedOperation::Block::kPart ? others : 1;
}

}  // namespace

std::optional<Bandwidth> bandwidth(const SimulatedOperation& operation, int processors,
                                   std::size_t block_bytes, double time_ns) {
  using Block = SimulatedOperation::Block;
  if (operation.block == Block::kNone || !(time_ns > 0)) return std::nullopt;
  const int blocks = operation.block == Block::kPart ? processors : 1;
  const double algorithm = static_cast<double>(block_bytes) * blocks / time_ns;
  return Bandwidth{algorithm, algorithm * bus_factor(operation, processors, block_bytes)};
}

}  // namespace postroom::cli
