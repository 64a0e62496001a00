#include "collectives/allreduce.h"

#include <algorithm>
#include <array>

#include "collectives/algorithms/allreduce_block_circulant.h"
#include "collectives/algorithms/allreduce_halving_doubling.h"
#include "collectives/algorithms/allreduce_lambda_tree.h"
#include "collectives/algorithms/allreduce_postal.h"
#include "collectives/algorithms/allreduce_recursive_doubling.h"
#include "collectives/algorithms/allreduce_reduce_broadcast.h"
#include "collectives/algorithms/allreduce_ring.h"
#include "collectives/algorithms/allreduce_shared.h"
#include "collectives/algorithms/by_turns.h"
#include "collectives/allreduce_by_teams.h"
#include "collectives/choice.h"
#include "collectives/models/shared_times.h"
#include "collectives/models/tree_times.h"
#include "collectives/models/variants.h"
#include "collectives/parts/arguments.h"
#include "collectives/parts/block_cut.h"
#include "collectives/parts/crowded.h"
#include "collectives/parts/reading.h"
#include "collectives/parts/shared_slices.h"

namespace postroom {
namespace {

constexpr std::array kAlgorithms{Algorithm::recursive_doubling,
                                 Algorithm::halving_doubling,
                                 Algorithm::reduce_broadcast,
                                 Algorithm::ring,
                                 Algorithm::shared,
                                 Algorithm::lambda_tree(),
                                 Algorithm::postal_combine(),
                                 Algorithm::block_circulant(),
                                 Algorithm::turns,
                                 Algorithm::teams};

// Those that allreduce_keeps_order.
constexpr std::array kOrdered{Algorithm::recursive_doubling, Algorithm::halving_doubling,
                              Algorithm::reduce_broadcast, Algorithm::shared,
                              Algorithm::lambda_tree()};

// From this size on it is the memory traffic that counts: `recursive_doubling` combines whole lists
// on all processors in each round, `reduce_broadcast` on half of them, then on a quarter. Where
// processors take turns, its fewer messages win at all sizes.
constexpr std::int64_t kReduceBroadcastBytes = 2048;

// In shared memory slices are worth their loans from so many bytes for each processor on.
constexpr std::int64_t kSharedSliceBytes = 1024;
constexpr std::int64_t kCrowdedSharedSliceBytes = 32768;

}  // namespace

std::span<const Algorithm> allreduce_algorithms() { return kAlgorithms; }

bool allreduce_keeps_order(Algorithm algorithm) {
  return algorithm.name != Algorithm::Name::kPostalCombine &&
         algorithm.name != Algorithm::Name::kRing &&
         algorithm.name != Algorithm::Name::kBlockCirculant;
}

Algorithm choose_allreduce(int processors, std::int64_t bytes, bool shares_memory) {
  const bool turns = shares_memory && crowded(processors);
  if (!turns && bytes < std::min(kReduceBroadcastBytes, kSharedSliceBytes * processors)) {
    return Algorithm::recursive_doubling;
  }
  if (shares_memory && reads_sooner(processors, bytes)) return Algorithm::recursive_doubling;
  const std::int64_t slice = turns ? kCrowdedSharedSliceBytes : kSharedSliceBytes;
  if (shares_memory && bytes >= slice * processors) return Algorithm::shared;
  return bytes < kReduceBroadcastBytes && !turns ? Algorithm::recursive_doubling
                                                 : Algorithm::reduce_broadcast;
}

Algorithm choose_allreduce(int processors, std::int64_t bytes, const TimeModel& model) {
  return fastest_of(kOrdered, processors, bytes, model, allreduce_time,
                    choose_allreduce(processors, bytes, model.shares_memory));
}

Algorithm choose_commuting_allreduce(int processors, std::int64_t bytes, const TimeModel& model) {
  return fastest_of(kAlgorithms, processors, bytes, model, allreduce_time,
                    choose_allreduce(processors, bytes, model.shares_memory));
}

Algorithm choose_allreduce(const Processor& self, std::int64_t bytes) {
  return choice_with_teams(self, bytes, choose_allreduce, choose_allreduce);
}

Algorithm choose_commuting_allreduce(const Processor& self, std::int64_t bytes) {
  return choice_with_teams(self, bytes, choose_allreduce, choose_commuting_allreduce);
}

void allreduce_bytes(Processor& self, ConstBytes in, Bytes out, const Operator& op,
                     Algorithm algorithm, Where where) {
  const Operation operation(self, "allreduce");
  require_bytes("allreduce", "out", out.size(), in.size(), "as many as in");
  require_whole_elements("allreduce", "in", in.size(), op.element_bytes());
  require_same_or_disjoint("allreduce", "in", in, "out", out);
  const auto bytes = static_cast<std::int64_t>(in.size());
  ChooseInModel in_model = choose_allreduce;
  if (op.commutes()) in_model = choose_commuting_allreduce;
  const Algorithm choice =
      algorithm.is_automatic()
          ? choice_with_teams(self, bytes, choose_allreduce, in_model)
          : choice_of_named("allreduce", algorithm, self, bytes, choose_allreduce, in_model);
  switch (choice.name) {
    case Algorithm::Name::kRecursiveDoubling:
      return allreduce_recursive_doubling(self, in, out, op, where);
    case Algorithm::Name::kHalvingDoubling:
      return allreduce_halving_doubling(self, in, out, op, where);
    case Algorithm::Name::kReduceBroadcast:
      return allreduce_reduce_broadcast(self, in, out, op, where);
    case Algorithm::Name::kRing:
      return allreduce_ring(self, in, out, op, where);
    case Algorithm::Name::kShared:
      require_shared_memory("allreduce", self);
      return allreduce_shared(self, in, out, op, where);
    case Algorithm::Name::kLambdaTree:
      return allreduce_lambda_tree(self, in, out, op, choice.latency, where);
    case Algorithm::Name::kPostalCombine:
      return allreduce_postal(self, in, out, op,
                              CombineSchedule::fastest(choice.latency, self.count()), where);
    case Algorithm::Name::kBlockCirculant:
      require_parameter("allreduce", "blocks", choice.blocks, 1, kMostBlocks);
      return allreduce_block_circulant(self, in, out, op, choice.blocks, where);
    case Algorithm::Name::kTurns:
      return allreduce_by_turns(self, in, out, op, where);
    case Algorithm::Name::kTeams:
      return allreduce_by_teams(self, in, out, op, where);
    default:
      throw_unknown_algorithm("allreduce", algorithm, kAlgorithms);
  }
}

Cost allreduce_cost(int processors, std::int64_t bytes, Algorithm algorithm) {
  require_sizes("allreduce", processors, bytes);
  const Algorithm choice =
      goes_by_size(algorithm) ? choose_allreduce(processors, bytes) : algorithm;
  switch (choice.name) {
    case Algorithm::Name::kRecursiveDoubling:
      return allreduce_recursive_doubling_cost(processors, bytes);
    case Algorithm::Name::kHalvingDoubling:
      return allreduce_halving_doubling_cost(processors, bytes);
    case Algorithm::Name::kReduceBroadcast:
      return allreduce_reduce_broadcast_cost(processors, bytes);
    case Algorithm::Name::kRing:
      return allreduce_ring_cost(processors, bytes);
    case Algorithm::Name::kShared:
      return shared_slices_cost(processors, bytes);
    case Algorithm::Name::kLambdaTree:
      return allreduce_lambda_tree_cost(processors, bytes, choice.latency);
    case Algorithm::Name::kPostalCombine:
      return allreduce_postal_cost(CombineSchedule::fastest(choice.latency, processors), bytes);
    case Algorithm::Name::kBlockCirculant:
      require_parameter("allreduce", "blocks", choice.blocks, 1, kMostBlocks);
      return allreduce_block_circulant_cost(processors, bytes, choice.blocks);
    case Algorithm::Name::kTurns:
      return {};
    default:
      throw_unknown_algorithm("allreduce", algorithm, kAlgorithms);
  }
}

double allreduce_time(int processors, std::int64_t bytes, const Algorithm& algorithm,
                      const TimeModel& model) {
  require_sizes("allreduce", processors, bytes);
  model.check();
  const Algorithm choice =
      algorithm.is_automatic() ? choose_allreduce(processors, bytes, model) : algorithm;
  switch (choice.name) {
    case Algorithm::Name::kRecursiveDoubling:
      return allreduce_recursive_doubling_time(processors, bytes, model);
    case Algorithm::Name::kHalvingDoubling:
      return allreduce_halving_doubling_time(processors, bytes, model);
    case Algorithm::Name::kRing:
      return allreduce_ring_time(processors, bytes, model);
    case Algorithm::Name::kReduceBroadcast:
      return halving_reduce_time(processors, bytes, model) +
             split_broadcast_time(SplitRule::halving(), processors, bytes, model);
    case Algorithm::Name::kShared:
      return shared_slices_time(processors, bytes, model);
    case Algorithm::Name::kLambdaTree: {
      const SplitRule rule = SplitRule::bottom_up(choice.latency, processors);
      return split_reduce_time(rule, processors, bytes, model) +
             split_broadcast_time(rule, processors, bytes, model);
    }
    case Algorithm::Name::kPostalCombine:
      return allreduce_postal_time(CombineSchedule::fastest(choice.latency, processors), bytes,
                                   model);
    case Algorithm::Name::kBlockCirculant:
      require_parameter("allreduce", "blocks", choice.blocks, 1, kMostBlocks);
      return allreduce_block_circulant_time(processors, bytes, choice.blocks, model);
    case Algorithm::Name::kTurns:
    case Algorithm::Name::kTeams:
      return kNotPredicted;
    default:
      throw_unknown_algorithm("allreduce", algorithm, kAlgorithms);
  }
}

}  // namespace postroom
