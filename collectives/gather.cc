#include "collectives/gather.h"

#include <array>

#include "collectives/arguments.h"
#include "collectives/gather_binomial.h"
#include "collectives/gather_linear.h"

namespace postroom {
namespace {

constexpr std::array kAlgorithms{Algorithm::binomial, Algorithm::linear};

Algorithm chosen(Algorithm algorithm, int processors, std::size_t block_bytes) {
  if (algorithm != Algorithm::automatic) return algorithm;
  return choose_gather(processors, static_cast<std::int64_t>(block_bytes));
}

void check(const Processor& self, int root, ConstBytes mine, ConstBytes all, const Blocks& blocks) {
  require_root("gather", root, self.count());
  if (self.id() != root) return;
  require_bytes("gather", "all", all.size(), blocks.total(),
                "a block like mine for each processor");
  require_own_block_or_disjoint("gather", mine, all, blocks.of(all, root));
}

}  // namespace

std::span<const Algorithm> gather_algorithms() { return kAlgorithms; }

Algorithm choose_gather(int, std::int64_t) { return Algorithm::binomial; }

void gather_bytes(Processor& self, int root, ConstBytes mine, Bytes all, Algorithm algorithm,
                  Where where) {
  const Operation operation(self, "gather");
  const Blocks blocks(self.count(), mine.size());
  check(self, root, mine, all, blocks);
  switch (chosen(algorithm, self.count(), mine.size()).name) {
    case Algorithm::Name::kBinomial:
      return gather_binomial(self, root, mine, blocks, all, where);
    case Algorithm::Name::kLinear:
      return gather_linear(self, root, mine, blocks, all, where);
    default:
      throw_unknown_algorithm("gather", algorithm, kAlgorithms);
  }
}

Cost gather_cost(int processors, std::int64_t block_bytes, Algorithm algorithm) {
  require_sizes("gather", processors, block_bytes);
  switch (chosen(algorithm, processors, static_cast<std::size_t>(block_bytes)).name) {
    case Algorithm::Name::kBinomial:
      return gather_binomial_cost(processors, block_bytes);
    case Algorithm::Name::kLinear:
      return gather_linear_cost(processors, block_bytes);
    default:
      throw_unknown_algorithm("gather", algorithm, kAlgorithms);
  }
}

}  // namespace postroom
