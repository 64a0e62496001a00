#include "collectives/scatterv.h"

#include <array>
#include <cstdint>
#include <vector>

#include "collectives/algorithms/by_slots.h"
#include "collectives/algorithms/by_turns.h"
#include "collectives/algorithms/scatter_farthest_first.h"
#include "collectives/algorithms/scatter_linear.h"
#include "collectives/algorithms/scatterv_binomial.h"
#include "collectives/choice.h"
#include "collectives/models/time_replay.h"
#include "collectives/models/variants.h"
#include "collectives/parts/arguments.h"
#include "collectives/parts/blocks.h"

namespace postroom {
namespace {

constexpr std::array kAlgorithms{Algorithm::linear, Algorithm::binomial, Algorithm::farthest_first,
                                 Algorithm::slots, Algorithm::turns};

// With fewer processors messages are as fast; with more the sizes alone fill a good part of a slot.
constexpr int kLeastSlotsProcessors = 16;
constexpr int kMostSlotsProcessors = 256;

Algorithm choose_by_size(int, std::int64_t, bool) { return Algorithm::linear; }

Algorithm choose_in_model(int processors, std::int64_t, const TimeModel& model) {
  return choose_scatterv(processors, model);
}

/// Those of `all`, as the root has them.
Blocks blocks_of_root(const Processor& self, ConstBytes all, std::span<const std::size_t> counts,
                      std::size_t element_bytes) {
  require_counts("scatterv", "counts", counts.size(), self.count());
  Blocks blocks(counts, element_bytes, "scatterv");
  require_bytes("scatterv", "all", all.size(), blocks.total(), "the sum of counts");
  return blocks;
}

/// What is known at `self`: at the root all blocks; elsewhere the own one, and it is taken for all.
Blocks blocks_at(const Processor& self, int root, ConstBytes all,
                 std::span<const std::size_t> counts, std::size_t element_bytes, ConstBytes mine) {
  require_root("scatterv", root, self.count());
  if (self.id() != root) return {self.count(), mine.size()};
  Blocks blocks = blocks_of_root(self, all, counts, element_bytes);
  require_bytes("scatterv", "mine", mine.size(), blocks.bytes(root), "the own one of counts");
  require_own_block_or_disjoint("scatterv", mine, all, blocks.of(all, root));
  return blocks;
}

/// A message from the root to each of `targets`, in this order.
double fan_out_time(const Blocks& blocks, int root, const std::vector<int>& targets,
                    const TimeModel& model) {
  TimeReplay replay(model, blocks.processors(), model.ports);
  for (const int target : targets) {
    const auto bytes = static_cast<std::int64_t>(blocks.bytes(target));
    replay.receive(target, bytes, replay.send(root, bytes));
  }
  return replay.finish_ns();
}

double linear_time(const Blocks& blocks, int root, const TimeModel& model) {
  std::vector<int> targets;
  for (int target = 0; target < blocks.processors(); ++target) {
    if (target != root) targets.push_back(target);
  }
  return fan_out_time(blocks, root, targets, model);
}

double farthest_first_time(const Blocks& blocks, int root, const TimeModel& model) {
  return fan_out_time(blocks, root, farthest_first_order(blocks.processors(), root), model);
}

}  // namespace

std::span<const Algorithm> scatterv_algorithms() { return kAlgorithms; }

Algorithm choose_scatterv(int processors, const TimeModel& model) {
  if (model.shares_memory) return Algorithm::linear;
  const std::vector<std::size_t> counts(static_cast<std::size_t>(processors));
  return fastest_of(
      kAlgorithms, processors, 0, model,
      [&](const Algorithm& algorithm) { return scatterv_time(0, counts, 1, algorithm, model); },
      Algorithm::linear);
}

Algorithm choose_scatterv(const Processor& self) {
  const bool fast_by_slots =
      self.count() >= kLeastSlotsProcessors && self.count() <= kMostSlotsProcessors;
  if (fast_by_slots && sizes_fit_out(self)) return Algorithm::slots;
  return choice_by_messages(self, 0, choose_by_size, choose_in_model);
}

void scatterv_bytes(Processor& self, int root, ConstBytes all, std::span<const std::size_t> counts,
                    std::size_t element_bytes, Bytes mine, Algorithm algorithm, Where where) {
  const Operation operation(self, "scatterv");
  const Blocks blocks = blocks_at(self, root, all, counts, element_bytes, mine);
  const Algorithm choice = algorithm.is_automatic() ? choose_scatterv(self) : algorithm;
  switch (choice.name) {
    case Algorithm::Name::kLinear:
      return scatter_linear(self, root, blocks, all, mine, where);
    case Algorithm::Name::kBinomial:
      return scatterv_binomial(self, root, blocks, all, mine, where);
    case Algorithm::Name::kFarthestFirst:
      return scatter_farthest_first(self, root, blocks, all, mine, where);
    case Algorithm::Name::kSlots:
      require_sizes_fit_out("scatterv", self);
      return scatterv_by_slots(self, root, blocks, all, mine, where);
    case Algorithm::Name::kTurns:
      return scatterv_by_turns(self, root, blocks, all, mine, where);
    default:
      throw_unknown_algorithm("scatterv", algorithm, kAlgorithms);
  }
}

std::size_t scattered_count(Processor& self, int root, ConstBytes all,
                            std::span<const std::size_t> counts, std::size_t element_bytes,
                            Algorithm algorithm, Where where) {
  require_root("scatterv", root, self.count());
  std::vector<std::size_t> one_of_each;
  if (self.id() == root) {
    (void)blocks_of_root(self, all, counts, element_bytes);
    one_of_each.assign(counts.size(), 1);
  }
  std::size_t count = 0;
  scatterv(self, root, counts, one_of_each, std::span(&count, 1), algorithm, where);
  return count;
}

Cost scatterv_cost(int root, std::span<const std::size_t> counts, std::size_t element_bytes,
                   Algorithm algorithm) {
  const Blocks blocks = rooted_blocks("scatterv", root, counts, element_bytes);
  switch (algorithm.name) {
    case Algorithm::Name::kAutomatic:
    case Algorithm::Name::kLinear:
    case Algorithm::Name::kFarthestFirst:
      return scatter_linear_cost(blocks, root);
    case Algorithm::Name::kBinomial:
      return scatterv_binomial_cost(blocks, root);
    case Algorithm::Name::kSlots:
    case Algorithm::Name::kTurns:
      return {};
    default:
      throw_unknown_algorithm("scatterv", algorithm, kAlgorithms);
  }
}

double scatterv_time(int root, std::span<const std::size_t> counts, std::size_t element_bytes,
                     const Algorithm& algorithm, const TimeModel& model) {
  const Blocks blocks = rooted_blocks("scatterv", root, counts, element_bytes);
  model.check();
  const int processors = blocks.processors();
  const Algorithm choice =
      algorithm.is_automatic() ? choose_scatterv(processors, model) : algorithm;
  switch (choice.name) {
    case Algorithm::Name::kLinear:
      return linear_time(blocks, root, model);
    case Algorithm::Name::kBinomial:
      return scatterv_binomial_time(blocks, root, model);
    case Algorithm::Name::kFarthestFirst:
      return farthest_first_time(blocks, root, model);
    case Algorithm::Name::kSlots:
    case Algorithm::Name::kTurns:
      return kNotPredicted;
    default:
      throw_unknown_algorithm("scatterv", algorithm, kAlgorithms);
  }
}

}  // namespace postroom
