// The operations that `postroom simulate`, `bench` and `predict` know.
#pragma once

#include <span>
#include <string_view>

#include "cli/simulated_operation.h"

namespace postroom::cli {

std::span<const SimulatedOperation> simulated_operations();

/// UsageError names all of them.
const SimulatedOperation& simulated_operation(std::string_view name);

}  // namespace postroom::cli
