// An algorithm of an operation, as an option of a command names it: "bruck(radix=4)".
#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "cli/simulate/simulated_operation.h"
#include "collectives/algorithm.h"

namespace postroom::cli {

/// `text`, given to `option`, as an algorithm of `operation`, or automatic. UsageError where it has
/// no such algorithm, which lists those that it has and `runs` says yes to, and `others`;
/// std::invalid_argument as of parse_algorithm.
Algorithm named_algorithm(std::string_view option, std::string_view text,
                          const SimulatedOperation& operation,
                          const std::function<bool(const Algorithm&)>& runs,
                          std::span<const std::string_view> others = {});

/// The same where `operation` has none of those that were named, `text` the first of them.
[[noreturn]] void throw_no_algorithm(std::string_view option, std::string_view text,
                                     const SimulatedOperation& operation);

/// Adds to what `option` lists; UsageError for one that is among them.
void add_algorithm(std::vector<Algorithm>& list, const Algorithm& algorithm,
                   std::string_view option);

}  // namespace postroom::cli
