#include "cli/simulate/fat_tree_simulation.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <stdexcept>

#include "cli/common/failure.h"
#include "cli/common/memory_check.h"
#include "cli/common/units.h"
#include "cli/simulate/level_bandwidth.h"
#include "collectives/algorithm.h"
#include "fat_trees/fat_tree_of_box.h"
#include "fat_trees/fat_tree_replay.h"
#include "fat_trees/fat_tree_study.h"
#include "numa/placement.h"
#include "numa/rounding.h"
#include "numa/topology.h"

namespace postroom::cli {
namespace {

// Of the tree, with what a schedule keeps of it; seen: 540 with a million leaves.
constexpr std::uint64_t kBytesOfLeaf = 512;
// Of the queues where all_wait_for_all().
constexpr std::uint64_t kBytesOfTwoLeaves = 16;

/// Whether packets of all for all come down to the leaves sooner than these take them.
bool all_wait_for_all(const Scenario& scenario, std::string_view algorithm, const FatTree& tree) {
  return scenario.operation->name == "allgather" && algorithm == "flooding" &&
         !tree.capacities().empty() && tree.capacities().back() > tree.capacities().front();
}

std::optional<std::int64_t> lower_bound_of(const Scenario& scenario, const FatTree& tree) {
  try {
    return fat_tree_lower_bound(scenario.operation->name, tree, scenario.root);
  } catch (const std::invalid_argument&) {
    return std::nullopt;  // [F] has none for this operation
  }
}

}  // namespace

FatTree make_fat_tree(const WantedFatTree& wanted, int processors) {
  if (wanted.text != "box") {
    try {
      return FatTree::balanced(processors, wanted.arity).with_named_capacities(wanted.text);
    } catch (const std::invalid_argument& error) {
      throw UsageError(fmt::format("--fat-tree: {}", error.what()));
    }
  }
  const Topology box = Topology::parse(wanted.topology);
  if (wanted.measure) return measure_fat_tree(box, processors).tree;
  return fat_tree_of(box, place(box, processors).leaf_of_processor);
}

std::vector<std::string_view> tree_algorithms(std::string_view operation) {
  std::vector<std::string_view> names;
  for (const FatTreeStudyName& study : fat_tree_studies()) {
    if (study.operation == operation) names.push_back(study.algorithm);
  }
  return names;
}

void check_room_on_tree(Scenario scenario, bool replays) {
  scenario.trace = true;
  if (replays) check_room_for(scenario);
  check_memory(counted(scenario.processors, "processor"),
               kBytesOfLeaf * static_cast<std::uint64_t>(scenario.processors));
}

TreeOutcome study_on_tree(const Scenario& scenario, std::string_view algorithm, const FatTree& tree,
                          Duplex duplex, const StepObserver& after_step) {
  if (all_wait_for_all(scenario, algorithm, tree)) {
    const auto leaves = static_cast<std::uint64_t>(scenario.processors);
    check_memory(fmt::format("flooding among {}", counted(scenario.processors, "processor")),
                 kBytesOfTwoLeaves * leaves * leaves);
  }
  FatTreeStudy study =
      study_fat_tree(scenario.operation->name, algorithm, tree, scenario.root, duplex, after_step);
  return {std::string(algorithm), duplex, std::move(study.report), study.formula,
          study.lower_bound};
}

TreeOutcome replay_on_tree(Scenario scenario, const FatTree& tree, Duplex duplex,
                           const StepObserver& after_step) {
  scenario.trace = true;
  const Outcome run = simulate(scenario);
  const std::size_t block = std::max<std::size_t>(1, scenario.block_bytes);
  std::vector<TreeMessage> messages;
  messages.reserve(run.trace.messages().size());
  for (const Trace::Message& message : run.trace.messages()) {
    const std::size_t blocks = ceil_divide(message.bytes, block);
    messages.push_back({message.source, message.target, message.round,
                        std::max<std::int64_t>(1, static_cast<std::int64_t>(blocks))});
  }
  return {to_string(run.scenario.algorithm), duplex,
          replay(tree, std::move(messages), Replay::kCausal, Copies::kNone, duplex, after_step),
          std::nullopt, lower_bound_of(scenario, tree)};
}

}  // namespace postroom::cli
