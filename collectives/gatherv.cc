#include "collectives/gatherv.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "collectives/algorithms/by_turns.h"
#include "collectives/algorithms/gather_farthest_first.h"
#include "collectives/algorithms/gather_linear.h"
#include "collectives/algorithms/gather_shared.h"
#include "collectives/algorithms/gatherv_binomial.h"
#include "collectives/algorithms/scatter_farthest_first.h"
#include "collectives/choice.h"
#include "collectives/models/shared_times.h"
#include "collectives/models/time_replay.h"
#include "collectives/models/variants.h"
#include "collectives/parts/arguments.h"
#include "collectives/parts/blocks.h"

namespace postroom {
namespace {

constexpr std::array kAlgorithms{Algorithm::linear, Algorithm::binomial, Algorithm::shared,
                                 Algorithm::farthest_first, Algorithm::turns};

Algorithm choose_by_size(int, std::int64_t, bool) { return Algorithm::linear; }

Algorithm choose_in_model(int processors, std::int64_t, const TimeModel& model) {
  return choose_gatherv(processors, model);
}

/// What is known at `self`: at the root all blocks; elsewhere the own one, and it is taken for all.
Blocks blocks_at(const Processor& self, int root, ConstBytes mine, ConstBytes all,
                 std::span<const std::size_t> counts, std::size_t element_bytes) {
  require_root("gatherv", root, self.count());
  if (self.id() != root) return {self.count(), mine.size()};
  require_counts("gatherv", "counts", counts.size(), self.count());
  Blocks blocks(counts, element_bytes, "gatherv");
  require_bytes("gatherv", "mine", mine.size(), blocks.bytes(root), "the own one of counts");
  require_bytes("gatherv", "all", all.size(), blocks.total(), "the sum of counts");
  require_own_block_or_disjoint("gatherv", mine, all, blocks.of(all, root));
  return blocks;
}

/// A message from each of `sources` to the root, which receives in this order.
double fan_in_time(const Blocks& blocks, int root, const std::vector<int>& sources,
                   const TimeModel& model) {
  TimeReplay replay(model, blocks.processors(), model.ports);
  for (const int source : sources) {
    const auto bytes = static_cast<std::int64_t>(blocks.bytes(source));
    replay.receive(root, bytes, replay.send(source, bytes));
  }
  return replay.finish_ns();
}

double linear_time(const Blocks& blocks, int root, const TimeModel& model) {
  std::vector<int> sources;
  for (int source = 0; source < blocks.processors(); ++source) {
    if (source != root) sources.push_back(source);
  }
  return fan_in_time(blocks, root, sources, model);
}

double farthest_first_time(const Blocks& blocks, int root, const TimeModel& model) {
  std::vector<int> sources = farthest_first_order(blocks.processors(), root);
  std::ranges::reverse(sources);
  return fan_in_time(blocks, root, sources, model);
}

}  // namespace

std::span<const Algorithm> gatherv_algorithms() { return kAlgorithms; }

Algorithm choose_gatherv(int processors, const TimeModel& model) {
  if (model.shares_memory) return Algorithm::linear;
  const std::vector<std::size_t> counts(static_cast<std::size_t>(processors));
  return fastest_of(
      kAlgorithms, processors, 0, model,
      [&](const Algorithm& algorithm) { return gatherv_time(0, counts, 1, algorithm, model); },
      Algorithm::linear);
}

Algorithm choose_gatherv(const Processor& self) {
  return choice_by_messages(self, 0, choose_by_size, choose_in_model);
}

void gatherv_bytes(Processor& self, int root, ConstBytes mine, Bytes all,
                   std::span<const std::size_t> counts, std::size_t element_bytes,
                   Algorithm algorithm, Where where) {
  const Operation operation(self, "gatherv");
  const Blocks blocks = blocks_at(self, root, mine, all, counts, element_bytes);
  const Algorithm choice = algorithm.is_automatic() ? choose_gatherv(self) : algorithm;
  switch (choice.name) {
    case Algorithm::Name::kLinear:
      return gather_linear(self, root, mine, blocks, all, where);
    case Algorithm::Name::kBinomial:
      return gatherv_binomial(self, root, mine, blocks, all, where);
    case Algorithm::Name::kShared:
      require_shared_memory("gatherv", self);
      return gather_shared(self, root, mine, blocks, all, where);
    case Algorithm::Name::kFarthestFirst:
      return gather_farthest_first(self, root, mine, blocks, all, where);
    case Algorithm::Name::kTurns:
      return gatherv_by_turns(self, root, mine, blocks, all, where);
    default:
      throw_unknown_algorithm("gatherv", algorithm, kAlgorithms);
  }
}

std::vector<std::size_t> gathered_counts(Processor& self, int root, std::size_t count,
                                         Algorithm algorithm, Where where) {
  const std::size_t processors =
      self.id() == root ? static_cast<std::size_t>(self.count()) : std::size_t{0};
  std::vector<std::size_t> counts(processors);
  const std::vector<std::size_t> one_of_each(processors, 1);
  gatherv(self, root, std::span(&count, 1), counts, one_of_each, algorithm, where);
  return counts;
}

Cost gatherv_cost(int root, std::span<const std::size_t> counts, std::size_t element_bytes,
                  Algorithm algorithm) {
  const Blocks blocks = rooted_blocks("gatherv", root, counts, element_bytes);
  switch (algorithm.name) {
    case Algorithm::Name::kAutomatic:
    case Algorithm::Name::kLinear:
    case Algorithm::Name::kShared:
    case Algorithm::Name::kFarthestFirst:
      return gather_linear_cost(blocks, root);
    case Algorithm::Name::kBinomial:
      return gatherv_binomial_cost(blocks, root);
    case Algorithm::Name::kTurns:
      return {};
    default:
      throw_unknown_algorithm("gatherv", algorithm, kAlgorithms);
  }
}

double gatherv_time(int root, std::span<const std::size_t> counts, std::size_t element_bytes,
                    const Algorithm& algorithm, const TimeModel& model) {
  const Blocks blocks = rooted_blocks("gatherv", root, counts, element_bytes);
  model.check();
  const int processors = blocks.processors();
  const Algorithm choice = algorithm.is_automatic() ? choose_gatherv(processors, model) : algorithm;
  switch (choice.name) {
    case Algorithm::Name::kLinear:
      return linear_time(blocks, root, model);
    case Algorithm::Name::kBinomial:
      return gatherv_binomial_time(blocks, root, model);
    case Algorithm::Name::kShared:
      return gather_shared_time(processors, static_cast<std::int64_t>(blocks.most_bytes(1)), model);
    case Algorithm::Name::kFarthestFirst:
      return farthest_first_time(blocks, root, model);
    case Algorithm::Name::kTurns:
      return kNotPredicted;
    default:
      throw_unknown_algorithm("gatherv", algorithm, kAlgorithms);
  }
}

}  // namespace postroom
