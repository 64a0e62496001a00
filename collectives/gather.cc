#include "collectives/gather.h"

#include <array>

#include "collectives/algorithms/by_slots.h"
#include "collectives/algorithms/by_turns.h"
#include "collectives/algorithms/gather_binomial.h"
#include "collectives/algorithms/gather_farthest_first.h"
#include "collectives/algorithms/gather_linear.h"
#include "collectives/algorithms/gather_shared.h"
#include "collectives/choice.h"
#include "collectives/models/shared_times.h"
#include "collectives/models/tree_times.h"
#include "collectives/models/variants.h"
#include "collectives/parts/arguments.h"
#include "collectives/parts/reading.h"

namespace postroom {
namespace {

constexpr std::array kAlgorithms{Algorithm::binomial,       Algorithm::linear, Algorithm::shared,
                                 Algorithm::farthest_first, Algorithm::slots,  Algorithm::turns};

// From this size on the root no longer copies alone.
constexpr std::int64_t kSharedBlockBytes = 4096;
constexpr std::int64_t kPairSharedBlockBytes = 8192;

void check(const Processor& self, int root, ConstBytes mine, ConstBytes all, const Blocks& blocks) {
  require_root("gather", root, self.count());
  if (self.id() != root) return;
  require_bytes("gather", "all", all.size(), blocks.total(),
                "a block like mine for each processor");
  require_own_block_or_disjoint("gather", mine, all, blocks.of(all, root));
}

}  // namespace

std::span<const Algorithm> gather_algorithms() { return kAlgorithms; }

Algorithm choose_gather(int processors, std::int64_t block_bytes, bool shares_memory) {
  if (!shares_memory) return Algorithm::binomial;
  const bool pair = processors <= 2;  // for which `linear` is `binomial` with less around it
  const std::int64_t shared_bytes = pair ? kPairSharedBlockBytes : kSharedBlockBytes;
  const bool pushes =
      block_bytes >= shared_bytes && !reads_sooner(processors, processors * block_bytes);
  if (pushes) return Algorithm::shared;
  return pair ? Algorithm::linear : Algorithm::binomial;
}

Algorithm choose_gather(int processors, std::int64_t block_bytes, const TimeModel& model) {
  return fastest_of(kAlgorithms, processors, block_bytes, model, gather_time,
                    choose_gather(processors, block_bytes, model.shares_memory));
}

Algorithm choose_gather(const Processor& self, std::int64_t block_bytes) {
  if (fits_in(self, static_cast<std::size_t>(block_bytes))) return Algorithm::slots;
  return choice_for(self, block_bytes, choose_gather, choose_gather);
}

void gather_bytes(Processor& self, int root, ConstBytes mine, Bytes all, Algorithm algorithm,
                  Where where) {
  const Operation operation(self, "gather");
  const Blocks blocks(self.count(), mine.size());
  check(self, root, mine, all, blocks);
  const Algorithm choice = algorithm.is_automatic()
                               ? choose_gather(self, static_cast<std::int64_t>(mine.size()))
                               : algorithm;
  switch (choice.name) {
    case Algorithm::Name::kBinomial:
      return gather_binomial(self, root, mine, blocks, all, where);
    case Algorithm::Name::kLinear:
      return gather_linear(self, root, mine, blocks, all, where);
    case Algorithm::Name::kShared:
      require_shared_memory("gather", self);
      return gather_shared(self, root, mine, blocks, all, where);
    case Algorithm::Name::kFarthestFirst:
      return gather_farthest_first(self, root, mine, blocks, all, where);
    case Algorithm::Name::kSlots:
      require_fits_in("gather", self, mine.size());
      return gather_by_slots(self, root, mine, all, where);
    case Algorithm::Name::kTurns:
      return gather_by_turns(self, root, mine, blocks, all, where);
    default:
      throw_unknown_algorithm("gather", algorithm, kAlgorithms);
  }
}

Cost gather_cost(int processors, std::int64_t block_bytes, Algorithm algorithm) {
  require_sizes("gather", processors, block_bytes);
  const Algorithm choice =
      algorithm.is_automatic() ? choose_gather(processors, block_bytes) : algorithm;
  switch (choice.name) {
    case Algorithm::Name::kBinomial:
      return gather_binomial_cost(processors, block_bytes);
    case Algorithm::Name::kLinear:
      return gather_linear_cost(Blocks(processors, static_cast<std::size_t>(block_bytes)), 0);
    case Algorithm::Name::kShared:
      return gather_shared_cost(processors, block_bytes);
    case Algorithm::Name::kFarthestFirst:
      return gather_farthest_first_cost(processors, block_bytes);
    case Algorithm::Name::kSlots:
    case Algorithm::Name::kTurns:
      return {};
    default:
      throw_unknown_algorithm("gather", algorithm, kAlgorithms);
  }
}

double gather_time(int processors, std::int64_t block_bytes, const Algorithm& algorithm,
                   const TimeModel& model) {
  require_sizes("gather", processors, block_bytes);
  model.check();
  const Algorithm choice =
      algorithm.is_automatic() ? choose_gather(processors, block_bytes, model) : algorithm;
  switch (choice.name) {
    case Algorithm::Name::kBinomial:
      return binomial_gather_time(processors, block_bytes, model);
    case Algorithm::Name::kLinear:
    case Algorithm::Name::kFarthestFirst:
      return model.fan_in(processors - 1, block_bytes);
    case Algorithm::Name::kShared:
      return gather_shared_time(processors, block_bytes, model);
    case Algorithm::Name::kSlots:
    case Algorithm::Name::kTurns:
      return kNotPredicted;
    default:
      throw_unknown_algorithm("gather", algorithm, kAlgorithms);
  }
}

}  // namespace postroom
