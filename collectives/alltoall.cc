#include "collectives/alltoall.h"

#include <algorithm>
#include <array>

#include "collectives/algorithms/alltoall_bruck.h"
#include "collectives/algorithms/alltoall_fat_tree.h"
#include "collectives/algorithms/alltoall_pairwise.h"
#include "collectives/algorithms/alltoall_shared.h"
#include "collectives/algorithms/alltoall_tiled.h"
#include "collectives/algorithms/by_turns.h"
#include "collectives/choice.h"
#include "collectives/models/shared_times.h"
#include "collectives/models/variants.h"
#include "collectives/parts/arguments.h"
#include "collectives/parts/crowded.h"
#include "fat_trees/box_tree.h"

namespace postroom {
namespace {

constexpr std::array kAlgorithms{
    Algorithm::bruck(2),           Algorithm::pairwise, Algorithm::shared, Algorithm::tiled,
    Algorithm::bruck_unrotated(2), Algorithm::fat_tree, Algorithm::turns};

// From this size on the additional data and copies of `bruck` cost more than the additional rounds
// of `pairwise`. Seen on an AMD EPYC (Zen 5, two cores) with 4 to 16 processors.
constexpr std::int64_t kPairwiseBlockBytes = 512;
// Of so many processors that take turns: `tiled` from so much for each on, all its blocks together,
// up to this block.
constexpr int kCrowd = 8;
constexpr std::int64_t kCrowdTiledBytes = 4096;
constexpr std::int64_t kCrowdSharedBlockBytes = 32768;

void check_parameters(Algorithm algorithm, int processors) {
  if (algorithm.name != Algorithm::Name::kBruck &&
      algorithm.name != Algorithm::Name::kBruckUnrotated) {
    return;
  }
  require_parameter("alltoall", "radix", algorithm.radix, 2, std::max(2, processors));
  require_ports("alltoall", algorithm.ports);
}

}  // namespace

std::span<const Algorithm> alltoall_algorithms() { return kAlgorithms; }

Algorithm choose_alltoall(int processors, std::int64_t block_bytes, bool shares_memory) {
  if (shares_memory && crowded(processors)) {
    if (processors < kCrowd || block_bytes >= kCrowdSharedBlockBytes) return Algorithm::shared;
    return block_bytes * processors < kCrowdTiledBytes ? Algorithm::bruck(2) : Algorithm::tiled;
  }
  if (processors <= 3 || block_bytes >= kPairwiseBlockBytes) {
    return shares_memory ? Algorithm::shared : Algorithm::pairwise;
  }
  return Algorithm::bruck(2);
}

Algorithm choose_alltoall(int processors, std::int64_t block_bytes, const TimeModel& model) {
  return fastest_of(kAlgorithms, processors, block_bytes, model, alltoall_time,
                    choose_alltoall(processors, block_bytes, model.shares_memory));
}

Algorithm choose_alltoall(const Processor& self, std::int64_t block_bytes) {
  const Algorithm choice = choice_for(self, block_bytes, choose_alltoall, choose_alltoall);
  if (choice != Algorithm::tiled) return choice;
  const BoxTree* const box = self.box();
  const bool nearest_first = box != nullptr && box->has_order();
  return nearest_first ? Algorithm::shared : choice;
}

void alltoall_bytes(Processor& self, ConstBytes send, Bytes receive, Algorithm algorithm,
                    Where where) {
  const Operation operation(self, "alltoall");
  const Blocks blocks(self.count(),
                      require_equal_blocks("alltoall", "send", send.size(), self.count()));
  require_bytes("alltoall", "receive", receive.size(), send.size(), "as many as in send");
  require_disjoint("alltoall", "send", send, "receive", receive);
  check_parameters(algorithm, self.count());
  const Algorithm choice = algorithm.is_automatic()
                               ? choose_alltoall(self, static_cast<std::int64_t>(blocks.bytes(0)))
                               : algorithm;
  switch (choice.name) {
    case Algorithm::Name::kBruck:
      return alltoall_bruck(self, send, receive, blocks, choice.radix, choice.ports, where);
    case Algorithm::Name::kBruckUnrotated:
      return alltoall_bruck_unrotated(self, send, receive, blocks, choice.radix, choice.ports,
                                      where);
    case Algorithm::Name::kPairwise:
      return alltoall_pairwise(self, send, blocks, receive, blocks, where);
    case Algorithm::Name::kShared:
      return alltoall_shared(self, send, blocks, receive, blocks, where);
    case Algorithm::Name::kTiled:
      require_shared_memory("alltoall", self, "tiled");
      return alltoall_tiled(self, send, receive, blocks, where);
    case Algorithm::Name::kFatTree:
      return alltoall_fat_tree(self, send, receive, blocks, where);
    case Algorithm::Name::kTurns:
      return alltoall_by_turns(self, send, receive, blocks, where);
    default:
      throw_unknown_algorithm("alltoall", algorithm, kAlgorithms);
  }
}

Cost alltoall_cost(int processors, std::int64_t block_bytes, Algorithm algorithm) {
  require_sizes("alltoall", processors, block_bytes);
  check_parameters(algorithm, processors);
  const Algorithm choice =
      algorithm.is_automatic() ? choose_alltoall(processors, block_bytes) : algorithm;
  switch (choice.name) {
    case Algorithm::Name::kBruck:
    case Algorithm::Name::kBruckUnrotated:
      return alltoall_bruck_cost(processors, block_bytes, choice.radix, choice.ports);
    case Algorithm::Name::kPairwise:
    case Algorithm::Name::kShared:
      return alltoall_pairwise_cost(processors, block_bytes);
    case Algorithm::Name::kTiled:
      return alltoall_tiled_cost(processors, block_bytes);
    case Algorithm::Name::kFatTree:
      return alltoall_fat_tree_cost(processors, block_bytes);
    case Algorithm::Name::kTurns:
      return {};
    default:
      throw_unknown_algorithm("alltoall", algorithm, kAlgorithms);
  }
}

double alltoall_time(int processors, std::int64_t block_bytes, const Algorithm& algorithm,
                     const TimeModel& model) {
  require_sizes("alltoall", processors, block_bytes);
  model.check();
  check_parameters(algorithm, processors);
  const Algorithm choice =
      algorithm.is_automatic() ? choose_alltoall(processors, block_bytes, model) : algorithm;
  switch (choice.name) {
    case Algorithm::Name::kBruck:
    case Algorithm::Name::kBruckUnrotated:
      return alltoall_bruck_time(processors, block_bytes, choice.radix, choice.ports, model);
    case Algorithm::Name::kPairwise:
      return (processors - 1) * model.arrival(block_bytes);
    case Algorithm::Name::kShared:
      return model.fan_in(processors - 1, block_bytes);
    case Algorithm::Name::kTiled:
      return alltoall_tiled_time(processors, block_bytes, model);
    case Algorithm::Name::kFatTree:
      return alltoall_fat_tree_time(processors, block_bytes, model);
    case Algorithm::Name::kTurns:
      return kNotPredicted;
    default:
      throw_unknown_algorithm("alltoall", algorithm, kAlgorithms);
  }
}

}  // namespace postroom
