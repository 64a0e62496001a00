#include "collectives/broadcast.h"

#include <array>

#include "collectives/algorithms/broadcast_binomial.h"
#include "collectives/algorithms/broadcast_block_circulant.h"
#include "collectives/algorithms/broadcast_blocks.h"
#include "collectives/algorithms/broadcast_flooding.h"
#include "collectives/algorithms/broadcast_lambda_tree.h"
#include "collectives/algorithms/broadcast_level_tree.h"
#include "collectives/algorithms/broadcast_linear.h"
#include "collectives/algorithms/broadcast_scatter_allgather.h"
#include "collectives/algorithms/by_slots.h"
#include "collectives/algorithms/by_turns.h"
#include "collectives/broadcast_by_teams.h"
#include "collectives/choice.h"
#include "collectives/models/postal_tree.h"
#include "collectives/models/tree_times.h"
#include "collectives/models/variants.h"
#include "collectives/parts/arguments.h"
#include "collectives/parts/block_cut.h"
#include "collectives/parts/crowded.h"

namespace postroom {
namespace {

constexpr std::array kAlgorithms{Algorithm::binomial,
                                 Algorithm::linear,
                                 Algorithm::lambda_tree(),
                                 Algorithm::scatter_allgather,
                                 Algorithm::block_circulant(4),
                                 Algorithm::repeat(4),
                                 Algorithm::pack(4),
                                 Algorithm::pipeline(4),
                                 Algorithm::d_tree(2, 4),
                                 Algorithm::flooding,
                                 Algorithm::level_tree,
                                 Algorithm::slots,
                                 Algorithm::turns,
                                 Algorithm::teams};

// From this size on all read straight from the root's memory where they can: what is copied then
// does not wait for other copies.
constexpr std::int64_t kLinearBytes = 8192;
constexpr std::int64_t kCrowdedLinearBytes = 65536;

/// Of repeat, pack, pipeline or d_tree.
BlockPlan block_plan(Algorithm algorithm, int processors) {
  const Rational latency = algorithm.latency;
  const int blocks = algorithm.blocks;
  switch (algorithm.name) {
    case Algorithm::Name::kRepeat:
      return BlockPlan::repeat(latency, blocks, processors);
    case Algorithm::Name::kPack:
      return BlockPlan::pack(latency, blocks, processors);
    case Algorithm::Name::kPipeline:
      return BlockPlan::pipeline(latency, blocks, processors);
    default:
      return BlockPlan::d_tree(algorithm.radix, blocks, processors);
  }
}

}  // namespace

std::span<const Algorithm> broadcast_algorithms() { return kAlgorithms; }

Algorithm choose_broadcast(int processors, std::int64_t bytes, bool shares_memory) {
  if (!shares_memory) return Algorithm::binomial;
  if (processors <= 2) return Algorithm::linear;  // one message in both, with less around it
  const std::int64_t linear_bytes = crowded(processors) ? kCrowdedLinearBytes : kLinearBytes;
  return bytes >= linear_bytes ? Algorithm::linear : Algorithm::binomial;
}

Algorithm choose_broadcast(int processors, std::int64_t bytes, const TimeModel& model) {
  return fastest_of(kAlgorithms, processors, bytes, model, broadcast_time,
                    choose_broadcast(processors, bytes, model.shares_memory));
}

Algorithm choose_broadcast(const Processor& self, std::int64_t bytes) {
  if (fits_out(self, static_cast<std::size_t>(bytes))) return Algorithm::slots;
  return choice_in_node(choice_with_teams(self, bytes, choose_broadcast, choose_broadcast),
                        Algorithm::linear, self, bytes);
}

void broadcast_bytes(Processor& self, int root, Bytes data, Algorithm algorithm, Where where) {
  const Operation operation(self, "broadcast");
  require_root("broadcast", root, self.count());
  const auto bytes = static_cast<std::int64_t>(data.size());
  const Algorithm choice = algorithm.is_automatic()
                               ? choose_broadcast(self, bytes)
                               : choice_of_named("broadcast", algorithm, self, bytes,
                                                 choose_broadcast, choose_broadcast);
  switch (choice.name) {
    case Algorithm::Name::kBinomial:
      return broadcast_binomial(self, root, data, where);
    case Algorithm::Name::kLinear:
      return broadcast_linear(self, root, data, where);
    case Algorithm::Name::kLambdaTree:
      return broadcast_lambda_tree(self, root, data,
                                   PostalTree::bottom_up(choice.latency, self.count()), where);
    case Algorithm::Name::kLevelTree:
      return broadcast_level_tree(self, root, data, where);
    case Algorithm::Name::kScatterAllgather:
      return broadcast_scatter_allgather(self, root, data, where);
    case Algorithm::Name::kBlockCirculant:
      require_parameter("broadcast", "blocks", choice.blocks, 1, kMostBlocks);
      return broadcast_block_circulant(self, root, data, choice.blocks, where);
    case Algorithm::Name::kRepeat:
    case Algorithm::Name::kPack:
    case Algorithm::Name::kPipeline:
    case Algorithm::Name::kDTree:
      return broadcast_blocks(self, root, data, block_plan(choice, self.count()), where);
    case Algorithm::Name::kFlooding:
      return broadcast_flooding(self, root, data, where);
    case Algorithm::Name::kSlots:
      require_fits_out("broadcast", self, data.size());
      return broadcast_by_slots(self, root, data, where);
    case Algorithm::Name::kTurns:
      return broadcast_by_turns(self, root, data, where);
    case Algorithm::Name::kTeams:
      return broadcast_by_teams(self, root, data, where);
    default:
      throw_unknown_algorithm("broadcast", algorithm, kAlgorithms);
  }
}

Cost broadcast_cost(int processors, std::int64_t bytes, Algorithm algorithm) {
  require_sizes("broadcast", processors, bytes);
  const Algorithm choice =
      goes_by_size(algorithm) ? choose_broadcast(processors, bytes) : algorithm;
  switch (choice.name) {
    case Algorithm::Name::kBinomial:
      return broadcast_binomial_cost(processors, bytes);
    case Algorithm::Name::kLinear:
      return broadcast_linear_cost(processors, bytes);
    case Algorithm::Name::kLambdaTree:
      return broadcast_lambda_tree_cost(PostalTree::bottom_up(choice.latency, processors), bytes);
    case Algorithm::Name::kLevelTree:
      return broadcast_level_tree_cost(processors, bytes);
    case Algorithm::Name::kScatterAllgather:
      return broadcast_scatter_allgather_cost(processors, bytes);
    case Algorithm::Name::kBlockCirculant:
      require_parameter("broadcast", "blocks", choice.blocks, 1, kMostBlocks);
      return broadcast_block_circulant_cost(processors, bytes, choice.blocks);
    case Algorithm::Name::kRepeat:
    case Algorithm::Name::kPack:
    case Algorithm::Name::kPipeline:
    case Algorithm::Name::kDTree:
      return block_plan(choice, processors).cost(bytes);
    case Algorithm::Name::kFlooding:
      return broadcast_flooding_cost(processors, bytes);
    case Algorithm::Name::kSlots:
    case Algorithm::Name::kTurns:
      return {};
    default:
      throw_unknown_algorithm("broadcast", algorithm, kAlgorithms);
  }
}

double broadcast_time(int processors, std::int64_t bytes, const Algorithm& algorithm,
                      const TimeModel& model) {
  require_sizes("broadcast", processors, bytes);
  model.check();
  const Algorithm choice =
      algorithm.is_automatic() ? choose_broadcast(processors, bytes, model) : algorithm;
  switch (choice.name) {
    case Algorithm::Name::kBinomial:
      return split_broadcast_time(SplitRule::halving(), processors, bytes, model);
    case Algorithm::Name::kLinear:
    case Algorithm::Name::kFlooding:
      return linear_broadcast_time(processors, bytes, model);
    case Algorithm::Name::kLambdaTree:
      return split_broadcast_time(SplitRule::bottom_up(choice.latency, processors), processors,
                                  bytes, model);
    case Algorithm::Name::kLevelTree:
      return broadcast_level_tree_time(processors, bytes, model);
    case Algorithm::Name::kScatterAllgather:
      return broadcast_scatter_allgather_time(processors, bytes, model);
    case Algorithm::Name::kBlockCirculant:
      require_parameter("broadcast", "blocks", choice.blocks, 1, kMostBlocks);
      return broadcast_block_circulant_time(processors, bytes, choice.blocks, model);
    case Algorithm::Name::kRepeat:
    case Algorithm::Name::kPack:
    case Algorithm::Name::kPipeline:
    case Algorithm::Name::kDTree:
      return block_plan(choice, processors).time(bytes, model);
    case Algorithm::Name::kSlots:
    case Algorithm::Name::kTurns:
    case Algorithm::Name::kTeams:
      return kNotPredicted;
    default:
      throw_unknown_algorithm("broadcast", algorithm, kAlgorithms);
  }
}

}  // namespace postroom
