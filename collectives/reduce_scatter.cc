#include "collectives/reduce_scatter.h"

#include <array>
#include <numeric>

#include "collectives/algorithms/allreduce_recursive_doubling.h"
#include "collectives/algorithms/by_turns.h"
#include "collectives/algorithms/reduce_scatter_block_circulant.h"
#include "collectives/algorithms/reduce_scatter_pairwise.h"
#include "collectives/algorithms/reduce_scatter_shared.h"
#include "collectives/choice.h"
#include "collectives/models/replay_rounds.h"
#include "collectives/models/shared_times.h"
#include "collectives/models/variants.h"
#include "collectives/parts/arguments.h"
#include "collectives/parts/block_cut.h"
#include "collectives/parts/blocks.h"
#include "collectives/parts/circulant_pieces.h"
#include "collectives/parts/scratch.h"

namespace postroom {
namespace {

constexpr std::array kAlgorithms{Algorithm::pairwise, Algorithm::recursive_doubling,
                                 Algorithm::shared, Algorithm::block_circulant(), Algorithm::turns};

// Those that keep the order of the processors, for any operator.
constexpr std::array kOrdered{Algorithm::pairwise, Algorithm::recursive_doubling,
                              Algorithm::shared};

// In shared memory slices are worth their loans from so many bytes for each processor on.
constexpr std::size_t kSharedSliceBytes = 4096;

// Up to so many bytes for each of more than two processors fewer rounds are worth more data.
constexpr std::size_t kDoublingBytes = 128;

void check_parameters(Algorithm algorithm) {
  if (algorithm.name != Algorithm::Name::kBlockCirculant) return;
  require_parameter("reduce_scatter", "blocks", algorithm.blocks, 1, kMostBlocks);
}

/// An allreduce of all blocks, of which each keeps its own.
void combine_all(Processor& self, ConstBytes in, const Blocks& blocks, Bytes out,
                 const Operator& op, Where where) {
  Scratch all(self, in.size());
  allreduce_recursive_doubling(self, in, all.bytes(), op, where);
  copy_bytes(blocks.of(ConstBytes(all.bytes()), self.id()), out);
}

Algorithm fastest_of_listed(std::span<const Algorithm> listed, std::span<const std::size_t> counts,
                            std::size_t element_bytes, const TimeModel& model) {
  const auto largest =
      static_cast<std::int64_t>(Blocks(counts, element_bytes, "reduce_scatter").most_bytes(1));
  const auto processors = static_cast<int>(counts.size());
  return fastest_of(
      listed, processors, largest, model,
      [&](const Algorithm& algorithm) {
        return replays_too_long(processors, algorithm)
                   ? kNotPredicted
                   : reduce_scatter_time(counts, element_bytes, algorithm, model);
      },
      choose_reduce_scatter(counts, element_bytes, model.shares_memory));
}

Algorithm choice_in_call(const Processor& self, std::span<const std::size_t> counts,
                         std::size_t element_bytes, ChooseForCounts in_model) {
  if (goes_by_turns(self)) return Algorithm::turns;
  return remembered_choice(self, counts, element_bytes, in_model,
                           choose_reduce_scatter(counts, element_bytes, self.shares_memory()));
}

}  // namespace

std::span<const Algorithm> reduce_scatter_algorithms() { return kAlgorithms; }

Algorithm choose_reduce_scatter(std::span<const std::size_t> counts, std::size_t element_bytes,
                                bool shares_memory) {
  const std::size_t total = std::reduce(counts.begin(), counts.end()) * element_bytes;
  const std::size_t p = counts.size();
  if (shares_memory && p > 1 && total >= kSharedSliceBytes * p) return Algorithm::shared;
  return p > 2 && total <= kDoublingBytes * p ? Algorithm::recursive_doubling : Algorithm::pairwise;
}

Algorithm choose_reduce_scatter(std::span<const std::size_t> counts, std::size_t element_bytes,
                                const TimeModel& model) {
  return fastest_of_listed(kOrdered, counts, element_bytes, model);
}

Algorithm choose_commuting_reduce_scatter(std::span<const std::size_t> counts,
                                          std::size_t element_bytes, const TimeModel& model) {
  return fastest_of_listed(kAlgorithms, counts, element_bytes, model);
}

Algorithm choose_reduce_scatter(const Processor& self, std::span<const std::size_t> counts,
                                std::size_t element_bytes) {
  return choice_in_call(self, counts, element_bytes, choose_reduce_scatter);
}

Algorithm choose_commuting_reduce_scatter(const Processor& self,
                                          std::span<const std::size_t> counts,
                                          std::size_t element_bytes) {
  return choice_in_call(self, counts, element_bytes, choose_commuting_reduce_scatter);
}

void reduce_scatter_bytes(Processor& self, ConstBytes in, Bytes out,
                          std::span<const std::size_t> counts, const Operator& op,
                          Algorithm algorithm, Where where) {
  const Operation operation(self, "reduce_scatter");
  require_counts("reduce_scatter", "counts", counts.size(), self.count());
  const Blocks blocks(counts, op.element_bytes(), "reduce_scatter");
  require_bytes("reduce_scatter", "in", in.size(), blocks.total(), "the sum of counts");
  require_bytes("reduce_scatter", "out", out.size(), blocks.bytes(self.id()),
                "the own one of counts");
  require_disjoint("reduce_scatter", "in", in, "out", out);
  check_parameters(algorithm);
  ChooseForCounts in_model = choose_reduce_scatter;
  if (op.commutes()) in_model = choose_commuting_reduce_scatter;
  const Algorithm choice = algorithm.is_automatic()
                               ? choice_in_call(self, counts, op.element_bytes(), in_model)
                               : algorithm;
  switch (choice.name) {
    case Algorithm::Name::kRecursiveDoubling:
      return combine_all(self, in, blocks, out, op, where);
    case Algorithm::Name::kShared:
      require_shared_memory("reduce_scatter", self);
      return reduce_scatter_shared(self, in, blocks, out, op, where);
    case Algorithm::Name::kPairwise:
      return reduce_scatter_pairwise(self, in, blocks, out, op, where);
    case Algorithm::Name::kBlockCirculant:
      return reduce_scatter_block_circulant(self, in, blocks, out, op, choice.blocks, where);
    case Algorithm::Name::kTurns:
      return reduce_scatter_by_turns(self, in, blocks, out, op, where);
    default:
      throw_unknown_algorithm("reduce_scatter", algorithm, kAlgorithms);
  }
}

Cost reduce_scatter_cost(std::span<const std::size_t> counts, std::size_t element_bytes,
                         Algorithm algorithm) {
  require_sizes("reduce_scatter", static_cast<int>(counts.size()), 0);
  const Blocks blocks(counts, element_bytes, "reduce_scatter");
  check_parameters(algorithm);
  const Algorithm choice =
      algorithm.is_automatic() ? choose_reduce_scatter(counts, element_bytes) : algorithm;
  switch (choice.name) {
    case Algorithm::Name::kRecursiveDoubling:
      return allreduce_recursive_doubling_cost(blocks.processors(),
                                               static_cast<std::int64_t>(blocks.total()));
    case Algorithm::Name::kShared:
      return reduce_scatter_shared_cost(blocks);
    case Algorithm::Name::kPairwise:
      return reduce_scatter_pairwise_cost(blocks);
    case Algorithm::Name::kBlockCirculant:
      return reduce_scatter_block_circulant_cost(blocks, choice.blocks, element_bytes);
    case Algorithm::Name::kTurns:
      return {};
    default:
      throw_unknown_algorithm("reduce_scatter", algorithm, kAlgorithms);
  }
}

double reduce_scatter_time(std::span<const std::size_t> counts, std::size_t element_bytes,
                           const Algorithm& algorithm, const TimeModel& model) {
  const auto p = static_cast<int>(counts.size());
  require_sizes("reduce_scatter", p, 0);
  model.check();
  const Blocks blocks(counts, element_bytes, "reduce_scatter");
  check_parameters(algorithm);
  const Algorithm choice =
      algorithm.is_automatic() ? choose_reduce_scatter(counts, element_bytes, model) : algorithm;
  TimeReplay replay(model, p, model.ports);
  switch (choice.name) {
    case Algorithm::Name::kRecursiveDoubling:
      return allreduce_recursive_doubling_time(p, static_cast<std::int64_t>(blocks.total()), model);
    case Algorithm::Name::kShared:
      return reduce_shared_time(p, static_cast<std::int64_t>(blocks.total()), model);
    case Algorithm::Name::kPairwise:
      replay_shifts(replay, p, [&](int, int target) { return blocks.bytes(target); });
      return replay.finish_ns();
    case Algorithm::Name::kBlockCirculant:
      if (p > 1) CirculantPieces(blocks, choice.blocks, element_bytes).replay_backwards(replay);
      return replay.finish_ns();
    case Algorithm::Name::kTurns:
      return kNotPredicted;
    default:
      throw_unknown_algorithm("reduce_scatter", algorithm, kAlgorithms);
  }
}

}  // namespace postroom
