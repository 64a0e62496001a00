// What a collective costs on a fat tree: as a table, as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "cli/simulate/fat_tree_simulation.h"
#include "cli/simulate/simulation.h"
#include "fat_trees/fat_tree.h"

namespace postroom::cli {

/// "8 processors, capacities 1,2,4"; of a single leaf without the latter.
std::string in_words(const FatTree& tree);

/// A row for each outcome, below what is common to them. Precondition: there is one.
std::string to_text(const std::vector<TreeOutcome>& outcomes, const Scenario& scenario,
                    const FatTree& tree);

nlohmann::ordered_json to_json(const TreeOutcome& outcome, const Scenario& scenario,
                               const FatTree& tree);

}  // namespace postroom::cli
