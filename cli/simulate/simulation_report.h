// What a simulation found: in words, as a table, as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "cli/simulate/simulation.h"

namespace postroom::cli {

/// "broadcast, 64 processors, lambda 9/5, 1 port, 1 byte".
std::string title_of(const Scenario& scenario);

/// A row for each outcome, below what is common to them. Precondition: there is one.
std::string to_text(const std::vector<Outcome>& outcomes);

/// Times are exact fractions, as strings.
nlohmann::ordered_json to_json(const Outcome& outcome);

}  // namespace postroom::cli
