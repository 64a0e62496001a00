#include "collectives/allgather.h"

#include <algorithm>
#include <array>
#include <bit>
#include <stdexcept>

#include "collectives/algorithms/allgather_circulant.h"
#include "collectives/algorithms/allgather_flooding.h"
#include "collectives/algorithms/allgather_gather_broadcast.h"
#include "collectives/algorithms/allgather_queueless.h"
#include "collectives/algorithms/allgather_recursive_doubling.h"
#include "collectives/algorithms/allgather_ring.h"
#include "collectives/algorithms/alltoall_shared.h"
#include "collectives/algorithms/by_turns.h"
#include "collectives/allgather_by_teams.h"
#include "collectives/choice.h"
#include "collectives/models/tree_times.h"
#include "collectives/models/variants.h"
#include "collectives/parts/arguments.h"
#include "collectives/parts/crowded.h"

namespace postroom {
namespace {

constexpr std::array kAlgorithms{Algorithm::circulant(),
                                 Algorithm::ring,
                                 Algorithm::recursive_doubling,
                                 Algorithm::gather_broadcast,
                                 Algorithm::shared,
                                 Algorithm::circulant_least_bytes(),
                                 Algorithm::circulant_unrotated(),
                                 Algorithm::flooding,
                                 Algorithm::queueless,
                                 Algorithm::turns,
                                 Algorithm::teams};

// From this size on the two additional copies of `circulant` cost more than the additional rounds
// of `ring`. Seen on an AMD EPYC (Zen 5, two cores) with 4 to 16 processors.
constexpr std::int64_t kRingBlockBytes = 1024;
// Of so many processors that take turns.
constexpr int kCrowd = 8;
constexpr std::int64_t kCrowdRingBlockBytes = 256;
constexpr std::int64_t kCrowdSharedBlockBytes = 16384;

bool is_circulant(Algorithm algorithm) {
  return algorithm.name == Algorithm::Name::kCirculant ||
         algorithm.name == Algorithm::Name::kCirculantLeastBytes ||
         algorithm.name == Algorithm::Name::kCirculantUnrotated;
}

void check_parameters(Algorithm algorithm, int processors) {
  if (algorithm.is_automatic()) return;
  if (is_circulant(algorithm)) {
    require_ports("allgather", algorithm.ports);
  }
  if (algorithm == Algorithm::recursive_doubling &&
      !std::has_single_bit(static_cast<unsigned>(processors))) {
    throw std::invalid_argument("allgather: recursive_doubling on " + std::to_string(processors) +
                                " processors is not allowed; a power of two");
  }
}

CirculantOptions circulant_options(Algorithm algorithm, int processors) {
  // No processor has more messages to send than there are others.
  return {.ports = std::min(algorithm.ports, std::max(1, processors - 1)),
          .least_bytes = algorithm.name == Algorithm::Name::kCirculantLeastBytes,
          .rotated = algorithm.name != Algorithm::Name::kCirculantUnrotated};
}

}  // namespace

std::span<const Algorithm> allgather_algorithms() { return kAlgorithms; }

Algorithm choose_allgather(int processors, std::int64_t block_bytes, bool shares_memory) {
  const bool as_many_rounds = processors <= 3;
  if (shares_memory && crowded(processors)) {
    if (processors < kCrowd || block_bytes >= kCrowdSharedBlockBytes) return Algorithm::shared;
    return block_bytes >= kCrowdRingBlockBytes ? Algorithm::ring : Algorithm::circulant();
  }
  if (as_many_rounds || block_bytes >= kRingBlockBytes) {
    return shares_memory ? Algorithm::shared : Algorithm::ring;
  }
  return Algorithm::circulant();
}

Algorithm choose_allgather(int processors, std::int64_t block_bytes, const TimeModel& model) {
  return fastest_of(kAlgorithms, processors, block_bytes, model, allgather_time,
                    choose_allgather(processors, block_bytes, model.shares_memory));
}

Algorithm choose_allgather(const Processor& self, std::int64_t block_bytes) {
  return choice_in_node(choice_with_teams(self, block_bytes, choose_allgather, choose_allgather),
                        Algorithm::shared, self, self.count() * block_bytes);
}

void allgather_bytes(Processor& self, ConstBytes mine, Bytes all, Algorithm algorithm,
                     Where where) {
  allgather_as("allgather", self, mine, all, algorithm, where);
}

void allgather_as(const char* name, Processor& self, ConstBytes mine, Bytes all,
                  Algorithm algorithm, Where where) {
  const Operation operation(self, name);
  const Blocks blocks(self.count(), mine.size());
  require_bytes("allgather", "all", all.size(), blocks.total(),
                "a block like mine for each processor");
  require_own_block_or_disjoint("allgather", mine, all, blocks.of(ConstBytes(all), self.id()));
  check_parameters(algorithm, self.count());
  const auto block_bytes = static_cast<std::int64_t>(mine.size());
  const Algorithm choice = algorithm.is_automatic()
                               ? choose_allgather(self, block_bytes)
                               : choice_of_named("allgather", algorithm, self, block_bytes,
                                                 choose_allgather, choose_allgather);
  switch (choice.name) {
    case Algorithm::Name::kCirculant:
    case Algorithm::Name::kCirculantLeastBytes:
    case Algorithm::Name::kCirculantUnrotated:
      return allgather_circulant(self, mine, blocks, all, circulant_options(choice, self.count()),
                                 where);
    case Algorithm::Name::kRing:
      return allgather_ring(self, mine, blocks, all, where);
    case Algorithm::Name::kShared:
      return allgather_shared(self, mine, blocks, all, where);
    case Algorithm::Name::kRecursiveDoubling:
      return allgather_recursive_doubling(self, mine, blocks, all, where);
    case Algorithm::Name::kGatherBroadcast:
      return allgather_gather_broadcast(self, mine, blocks, all, where);
    case Algorithm::Name::kFlooding:
      return allgather_flooding(self, mine, blocks, all, where);
    case Algorithm::Name::kQueueless:
      return allgather_queueless(self, mine, blocks, all, where);
    case Algorithm::Name::kTurns:
      return allgather_by_turns(self, name, mine, blocks, all, where);
    case Algorithm::Name::kTeams:
      return allgather_by_teams(self, mine, blocks, all, where);
    default:
      throw_unknown_algorithm("allgather", algorithm, kAlgorithms);
  }
}

Cost allgather_cost(int processors, std::int64_t block_bytes, Algorithm algorithm) {
  require_sizes("allgather", processors, block_bytes);
  check_parameters(algorithm, processors);
  const Blocks blocks(processors, static_cast<std::size_t>(block_bytes));
  const Algorithm choice =
      goes_by_size(algorithm) ? choose_allgather(processors, block_bytes) : algorithm;
  switch (choice.name) {
    case Algorithm::Name::kCirculant:
    case Algorithm::Name::kCirculantLeastBytes:
    case Algorithm::Name::kCirculantUnrotated:
      return allgather_circulant_cost(blocks, circulant_options(choice, processors));
    case Algorithm::Name::kRing:
    case Algorithm::Name::kShared:
      return allgather_ring_cost(blocks);
    case Algorithm::Name::kRecursiveDoubling:
      return allgather_recursive_doubling_cost(blocks);
    case Algorithm::Name::kGatherBroadcast:
      return allgather_gather_broadcast_cost(blocks);
    case Algorithm::Name::kFlooding:
      return allgather_flooding_cost(blocks);
    case Algorithm::Name::kQueueless:
      return allgather_queueless_cost(blocks);
    case Algorithm::Name::kTurns:
      return {};
    default:
      throw_unknown_algorithm("allgather", algorithm, kAlgorithms);
  }
}

double allgather_time(int processors, std::int64_t block_bytes, const Algorithm& algorithm,
                      const TimeModel& model) {
  require_sizes("allgather", processors, block_bytes);
  model.check();
  check_parameters(algorithm, processors);
  const Blocks blocks(processors, static_cast<std::size_t>(block_bytes));
  const Algorithm choice =
      algorithm.is_automatic() ? choose_allgather(processors, block_bytes, model) : algorithm;
  switch (choice.name) {
    case Algorithm::Name::kCirculant:
    case Algorithm::Name::kCirculantLeastBytes:
    case Algorithm::Name::kCirculantUnrotated:
      return allgather_circulant_time(blocks, circulant_options(choice, processors), model);
    case Algorithm::Name::kRing:
      return (processors - 1) * model.arrival(block_bytes);
    case Algorithm::Name::kShared:
    case Algorithm::Name::kFlooding:
      return model.fan_in(processors - 1, block_bytes);
    case Algorithm::Name::kRecursiveDoubling:
      return allgather_recursive_doubling_time(blocks, model);
    case Algorithm::Name::kGatherBroadcast:
      return binomial_gather_time(processors, block_bytes, model) +
             split_broadcast_time(SplitRule::halving(), processors,
                                  static_cast<std::int64_t>(blocks.total()), model);
    case Algorithm::Name::kQueueless:
      return allgather_queueless_time(processors, block_bytes, model);
    case Algorithm::Name::kTurns:
    case Algorithm::Name::kTeams:
      return kNotPredicted;
    default:
      throw_unknown_algorithm("allgather", algorithm, kAlgorithms);
  }
}

}  // namespace postroom
