#include "collectives/scatter.h"

#include <array>

#include "collectives/algorithms/by_slots.h"
#include "collectives/algorithms/by_turns.h"
#include "collectives/algorithms/scatter_binomial.h"
#include "collectives/algorithms/scatter_farthest_first.h"
#include "collectives/algorithms/scatter_linear.h"
#include "collectives/choice.h"
#include "collectives/models/tree_times.h"
#include "collectives/models/variants.h"
#include "collectives/parts/arguments.h"

namespace postroom {
namespace {

constexpr std::array kAlgorithms{Algorithm::binomial, Algorithm::linear, Algorithm::farthest_first,
                                 Algorithm::slots, Algorithm::turns};

// From this size on all read straight from the root's memory where they can: blocks are then copied
// once, and all at the same time.
constexpr std::int64_t kLinearBlockBytes = 512;

void check(const Processor& self, int root, ConstBytes all, ConstBytes mine, const Blocks& blocks) {
  require_root("scatter", root, self.count());
  if (self.id() != root) return;
  require_bytes("scatter", "all", all.size(), blocks.total(),
                "a block like mine for each processor");
  require_own_block_or_disjoint("scatter", mine, all, blocks.of(all, root));
}

}  // namespace

std::span<const Algorithm> scatter_algorithms() { return kAlgorithms; }

Algorithm choose_scatter(int processors, std::int64_t block_bytes, bool shares_memory) {
  const bool one_message = processors <= 2;  // in both, with less around it
  return shares_memory && (one_message || block_bytes >= kLinearBlockBytes) ? Algorithm::linear
                                                                            : Algorithm::binomial;
}

Algorithm choose_scatter(int processors, std::int64_t block_bytes, const TimeModel& model) {
  return fastest_of(kAlgorithms, processors, block_bytes, model, scatter_time,
                    choose_scatter(processors, block_bytes, model.shares_memory));
}

Algorithm choose_scatter(const Processor& self, std::int64_t block_bytes) {
  const std::size_t bytes =
      static_cast<std::size_t>(block_bytes) * static_cast<std::size_t>(self.count());
  if (fits_out(self, bytes)) return Algorithm::slots;
  return choice_for(self, block_bytes, choose_scatter, choose_scatter);
}

void scatter_bytes(Processor& self, int root, ConstBytes all, Bytes mine, Algorithm algorithm,
                   Where where) {
  const Operation operation(self, "scatter");
  const Blocks blocks(self.count(), mine.size());
  check(self, root, all, mine, blocks);
  const Algorithm choice = algorithm.is_automatic()
                               ? choose_scatter(self, static_cast<std::int64_t>(mine.size()))
                               : algorithm;
  switch (choice.name) {
    case Algorithm::Name::kBinomial:
      return scatter_binomial(self, root, blocks, all, mine, where);
    case Algorithm::Name::kLinear:
      return scatter_linear(self, root, blocks, all, mine, where);
    case Algorithm::Name::kFarthestFirst:
      return scatter_farthest_first(self, root, blocks, all, mine, where);
    case Algorithm::Name::kSlots:
      require_fits_out("scatter", self, blocks.total());
      return scatter_by_slots(self, root, blocks, all, mine, where);
    case Algorithm::Name::kTurns:
      return scatter_by_turns(self, root, blocks, all, mine, where);
    default:
      throw_unknown_algorithm("scatter", algorithm, kAlgorithms);
  }
}

Cost scatter_cost(int processors, std::int64_t block_bytes, Algorithm algorithm) {
  require_sizes("scatter", processors, block_bytes);
  const Algorithm choice =
      algorithm.is_automatic() ? choose_scatter(processors, block_bytes) : algorithm;
  switch (choice.name) {
    case Algorithm::Name::kBinomial:
      return scatter_binomial_cost(processors, block_bytes);
    case Algorithm::Name::kLinear:
      return scatter_linear_cost(Blocks(processors, static_cast<std::size_t>(block_bytes)), 0);
    case Algorithm::Name::kFarthestFirst:
      return scatter_farthest_first_cost(processors, block_bytes);
    case Algorithm::Name::kSlots:
    case Algorithm::Name::kTurns:
      return {};
    default:
      throw_unknown_algorithm("scatter", algorithm, kAlgorithms);
  }
}

double scatter_time(int processors, std::int64_t block_bytes, const Algorithm& algorithm,
                    const TimeModel& model) {
  require_sizes("scatter", processors, block_bytes);
  model.check();
  const Algorithm choice =
      algorithm.is_automatic() ? choose_scatter(processors, block_bytes, model) : algorithm;
  switch (choice.name) {
    case Algorithm::Name::kBinomial:
      return binomial_scatter_time(processors, block_bytes, model);
    case Algorithm::Name::kLinear:
    case Algorithm::Name::kFarthestFirst:
      return model.fan_out(processors - 1, block_bytes);
    case Algorithm::Name::kSlots:
    case Algorithm::Name::kTurns:
      return kNotPredicted;
    default:
      throw_unknown_algorithm("scatter", algorithm, kAlgorithms);
  }
}

}  // namespace postroom
