#include "collectives/allgatherv.h"

#include <array>
#include <numeric>

#include "collectives/algorithms/allgather_block_circulant.h"
#include "collectives/algorithms/allgather_circulant.h"
#include "collectives/algorithms/allgather_ring.h"
#include "collectives/algorithms/alltoall_shared.h"
#include "collectives/algorithms/by_turns.h"
#include "collectives/choice.h"
#include "collectives/models/replay_rounds.h"
#include "collectives/models/variants.h"
#include "collectives/parts/arguments.h"
#include "collectives/parts/block_cut.h"
#include "collectives/parts/circulant_pieces.h"

namespace postroom {
namespace {

constexpr std::array kAlgorithms{Algorithm::circulant(), Algorithm::ring, Algorithm::shared,
                                 Algorithm::block_circulant(2), Algorithm::turns};

// As in allgather, by the average block.
constexpr std::size_t kRingBlockBytes = 1024;

void check_parameters(Algorithm algorithm) {
  if (algorithm.name == Algorithm::Name::kBlockCirculant) {
    require_parameter("allgatherv", "blocks", algorithm.blocks, 1, kMostBlocks);
  }
  if (algorithm.name != Algorithm::Name::kCirculant) return;
  require_parameter("allgatherv", "ports", algorithm.ports, 1, 1);
}

void check(const Processor& self, ConstBytes mine, ConstBytes all, const Blocks& blocks) {
  require_bytes("allgatherv", "mine", mine.size(), blocks.bytes(self.id()),
                "the own one of counts");
  require_bytes("allgatherv", "all", all.size(), blocks.total(), "the sum of counts");
  require_own_block_or_disjoint("allgatherv", mine, all, blocks.of(all, self.id()));
}

}  // namespace

std::span<const Algorithm> allgatherv_algorithms() { return kAlgorithms; }

Algorithm choose_allgatherv(std::span<const std::size_t> counts, std::size_t element_bytes,
                            bool shares_memory) {
  const std::size_t total = std::reduce(counts.begin(), counts.end()) * element_bytes;
  const bool as_many_rounds = counts.size() <= 3;
  if (as_many_rounds || total >= kRingBlockBytes * counts.size()) {
    return shares_memory ? Algorithm::shared : Algorithm::ring;
  }
  return Algorithm::circulant();
}

Algorithm choose_allgatherv(std::span<const std::size_t> counts, std::size_t element_bytes,
                            const TimeModel& model) {
  const auto largest =
      static_cast<std::int64_t>(Blocks(counts, element_bytes, "allgatherv").most_bytes(1));
  const auto processors = static_cast<int>(counts.size());
  return fastest_of(
      kAlgorithms, processors, largest, model,
      [&](const Algorithm& algorithm) {
        return replays_too_long(processors, algorithm)
                   ? kNotPredicted
                   : allgatherv_time(counts, element_bytes, algorithm, model);
      },
      choose_allgatherv(counts, element_bytes, model.shares_memory));
}

Algorithm choose_allgatherv(const Processor& self, std::span<const std::size_t> counts,
                            std::size_t element_bytes) {
  if (goes_by_turns(self)) return Algorithm::turns;
  return remembered_choice(self, counts, element_bytes, choose_allgatherv,
                           choose_allgatherv(counts, element_bytes, self.shares_memory()));
}

void allgatherv_bytes(Processor& self, ConstBytes mine, Bytes all,
                      std::span<const std::size_t> counts, std::size_t element_bytes,
                      Algorithm algorithm, Where where) {
  const Operation operation(self, "allgatherv");
  require_counts("allgatherv", "counts", counts.size(), self.count());
  const Blocks blocks(counts, element_bytes, "allgatherv");
  check(self, mine, all, blocks);
  check_parameters(algorithm);
  const Algorithm choice =
      algorithm.is_automatic() ? choose_allgatherv(self, counts, element_bytes) : algorithm;
  switch (choice.name) {
    case Algorithm::Name::kCirculant:
      return allgather_circulant(self, mine, blocks, all, {}, where);
    case Algorithm::Name::kRing:
      return allgather_ring(self, mine, blocks, all, where);
    case Algorithm::Name::kShared:
      return allgather_shared(self, mine, blocks, all, where);
    case Algorithm::Name::kBlockCirculant:
      return allgather_block_circulant(self, mine, blocks, all, choice.blocks, element_bytes,
                                       where);
    case Algorithm::Name::kTurns:
      return allgather_by_turns(self, "allgatherv", mine, blocks, all, where);
    default:
      throw_unknown_algorithm("allgatherv", algorithm, kAlgorithms);
  }
}

std::vector<std::size_t> allgathered_counts(Processor& self, std::size_t count, Algorithm algorithm,
                                            Where where) {
  std::vector<std::size_t> counts(static_cast<std::size_t>(self.count()));
  const std::vector<std::size_t> one_of_each(counts.size(), 1);
  allgatherv(self, std::span(&count, 1), counts, one_of_each, algorithm, where);
  return counts;
}

Cost allgatherv_cost(std::span<const std::size_t> counts, std::size_t element_bytes,
                     Algorithm algorithm) {
  require_sizes("allgatherv", static_cast<int>(counts.size()), 0);
  check_parameters(algorithm);
  const Blocks blocks(counts, element_bytes, "allgatherv");
  const Algorithm choice =
      algorithm.is_automatic() ? choose_allgatherv(counts, element_bytes) : algorithm;
  switch (choice.name) {
    case Algorithm::Name::kCirculant:
      return allgather_circulant_cost(blocks, {});
    case Algorithm::Name::kRing:
    case Algorithm::Name::kShared:
      return allgather_ring_cost(blocks);
    case Algorithm::Name::kBlockCirculant:
      return allgather_block_circulant_cost(blocks, choice.blocks, element_bytes);
    case Algorithm::Name::kTurns:
      return {};
    default:
      throw_unknown_algorithm("allgatherv", algorithm, kAlgorithms);
  }
}

double allgatherv_time(std::span<const std::size_t> counts, std::size_t element_bytes,
                       const Algorithm& algorithm, const TimeModel& model) {
  const auto p = static_cast<int>(counts.size());
  require_sizes("allgatherv", p, 0);
  model.check();
  check_parameters(algorithm);
  const Blocks blocks(counts, element_bytes, "allgatherv");
  const Algorithm choice =
      algorithm.is_automatic() ? choose_allgatherv(counts, element_bytes, model) : algorithm;
  TimeReplay replay(model, p, model.ports);
  switch (choice.name) {
    case Algorithm::Name::kCirculant:
      return allgather_circulant_time(blocks, {}, model);
    case Algorithm::Name::kRing:
      for (int step = 0; step < p - 1; ++step) {
        replay_round(
            replay, p, [&](int i) { return (i + 1) % p; },
            [&](int i) { return blocks.bytes((i + p - step) % p); });
      }
      return replay.finish_ns();
    case Algorithm::Name::kShared:
      replay_flood(replay, p, [&](int source, int) { return blocks.bytes(source); });
      return replay.finish_ns();
    case Algorithm::Name::kBlockCirculant:
      if (p > 1) CirculantPieces(blocks, choice.blocks, element_bytes).replay_forwards(replay);
      return replay.finish_ns();
    case Algorithm::Name::kTurns:
      return kNotPredicted;
    default:
      throw_unknown_algorithm("allgatherv", algorithm, kAlgorithms);
  }
}

}  // namespace postroom
