#include "cli/bench_bandwidth.h"

namespace postroom::cli {
namespace {

double bus_factor(const SimulatedOperation& operation, double processors) {
  const double others = (processors - 1) / processors;
  if (operation.name == "allreduce") return 2 * others;
  return operation.block == SimulatedOperation::Block::kPart ? others : 1;
}

}  // namespace

std::optional<Bandwidth> bandwidth(const SimulatedOperation& operation, int processors,
                                   std::size_t block_bytes, double time_ns) {
  using Block = SimulatedOperation::Block;
  if (operation.block == Block::kNone || !(time_ns > 0)) return std::nullopt;
  const int blocks = operation.block == Block::kPart ? processors : 1;
  const double algorithm = static_cast<double>(block_bytes) * blocks / time_ns;
  return Bandwidth{algorithm, algorithm * bus_factor(operation, processors)};
}

}  // namespace postroom::cli
