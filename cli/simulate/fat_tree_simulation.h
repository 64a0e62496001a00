// A collective on a fat tree: what the packet model counts.
//
// The algorithms of [F] are schedules of the model (fat_trees/fat_tree_study.h); any other is run
// in virtual time and its messages are replayed, a packet for each block, every one leaving as soon
// as its sender has what was sent to it before (fat_trees/fat_tree_replay.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/simulate/simulation.h"
#include "fat_trees/fat_tree.h"
#include "fat_trees/fat_tree_network.h"

namespace postroom::cli {

struct TreeOutcome {
  std::string algorithm;
  Duplex duplex = Duplex::full;
  FatTreeReport report;
  std::optional<std::int64_t> formula;      ///< what [F] states
  std::optional<std::int64_t> lower_bound;  ///< in steps, of any algorithm
};

/// The tree that `--fat-tree` wants: "constant", "exponential", a list of capacities, or "box".
struct WantedFatTree {
  std::string text;
  std::string topology = {};  ///< for "box", as of Topology::parse; empty: this machine
  bool measure = false;       ///< for "box": capacities measured (cli/simulate/level_bandwidth.h)
  int arity = 2;              ///< children of a router; not for "box"
  Duplex duplex = Duplex::full;
};
FatTree make_fat_tree(const WantedFatTree& wanted, int processors);

/// The algorithms of [F] for `operation`.
std::vector<std::string_view> tree_algorithms(std::string_view operation);

/// Whether the memory suffices for a tree with a leaf for each processor, and for a run to replay
/// on it where that is wanted; asked before the tree is made. Throws std::runtime_error.
void check_room_on_tree(Scenario scenario, bool replays);

/// One of those.
TreeOutcome study_on_tree(const Scenario& scenario, std::string_view algorithm, const FatTree& tree,
                          Duplex duplex, const StepObserver& after_step = {});

/// scenario.algorithm, replayed.
TreeOutcome replay_on_tree(Scenario scenario, const FatTree& tree, Duplex duplex,
                           const StepObserver& after_step = {});

}  // namespace postroom::cli
