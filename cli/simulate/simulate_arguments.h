// The arguments of `postroom simulate`, checked.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/simulate/fat_tree_simulation.h"
#include "cli/simulate/simulation.h"
#include "collectives/algorithm.h"

namespace postroom::cli {

struct SimulateArguments {
  Scenario scenario;  ///< but for its algorithm
  std::optional<int> radix, blocks;
  std::vector<Algorithm> algorithms;  ///< to run, in this order
  std::optional<WantedFatTree> fat_tree;
  std::vector<std::string> tree_algorithms;  ///< of [F], where a fat tree is wanted
  bool all = false;                          ///< no algorithm was named
  std::optional<std::string> topology;       ///< that of --topology, which may be a file
  std::optional<std::string> svg, html, trace, json;
};

/// Throws UsageError, or std::invalid_argument for an algorithm that there is not.
SimulateArguments parse_simulate(std::span<const std::string> words);

}  // namespace postroom::cli
