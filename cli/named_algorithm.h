// Algorithms on the command line.
#pragma once

#include <string>
#include <string_view>

#include "collectives/algorithm.h"

namespace postroom::cli {

/// `text` as "NAME" or "NAME(PARAMETER=NUMBER, …)", each parameter once. UsageError names `option`;
/// std::invalid_argument for an algorithm that there is not, and for what it does not have.
Algorithm named_algorithm(std::string_view option, const std::string& text);

}  // namespace postroom::cli
