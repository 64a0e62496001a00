#include "collectives/reduce_scatter.h"

#include <array>

#include "collectives/arguments.h"
#include "collectives/block_cut.h"
#include "collectives/blocks.h"
#include "collectives/reduce_scatter_block_circulant.h"
#include "collectives/reduce_scatter_pairwise.h"

namespace postroom {
namespace {

constexpr std::array kAlgorithms{Algorithm::pairwise, Algorithm::block_circulant()};

Algorithm chosen(Algorithm algorithm) {
  if (algorithm.name == Algorithm::Name::kBlockCirculant) {
    require_parameter("reduce_scatter", "blocks", algorithm.blocks, 1, kMostBlocks);
  }
  return algorithm == Algorithm::automatic ? Algorithm::pairwise : algorithm;
}

}  // namespace

std::span<const Algorithm> reduce_scatter_algorithms() { return kAlgorithms; }

void reduce_scatter_bytes(Processor& self, ConstBytes in, Bytes out,
                          std::span<const std::size_t> counts, const Operator& op,
                          Algorithm algorithm, Where where) {
  const Operation operation(self, "reduce_scatter");
  require_counts("reduce_scatter", "counts", counts.size(), self.count());
  const Blocks blocks(counts, op.element_bytes());
  require_bytes("reduce_scatter", "in", in.size(), blocks.total(), "the sum of counts");
  require_bytes("reduce_scatter", "out", out.size(), blocks.bytes(self.id()),
                "the own one of counts");
  require_disjoint("reduce_scatter", "in", in, "out", out);
  const Algorithm choice = chosen(algorithm);
  switch (choice.name) {
    case Algorithm::Name::kPairwise:
      return reduce_scatter_pairwise(self, in, blocks, out, op, where);
    case Algorithm::Name::kBlockCirculant:
      return reduce_scatter_block_circulant(self, in, blocks, out, op, choice.blocks, where);
    default:
      throw_unknown_algorithm("reduce_scatter", algorithm, kAlgorithms);
  }
}

Cost reduce_scatter_cost(std::span<const std::size_t> counts, std::size_t element_bytes,
                         Algorithm algorithm) {
  require_sizes("reduce_scatter", static_cast<int>(counts.size()), 0);
  const Blocks blocks(counts, element_bytes);
  const Algorithm choice = chosen(algorithm);
  switch (choice.name) {
    case Algorithm::Name::kPairwise:
      return reduce_scatter_pairwise_cost(blocks);
    case Algorithm::Name::kBlockCirculant:
      return reduce_scatter_block_circulant_cost(blocks, choice.blocks, element_bytes);
    default:
      throw_unknown_algorithm("reduce_scatter", algorithm, kAlgorithms);
  }
}

}  // namespace postroom
