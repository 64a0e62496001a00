// The operations that `postroom simulate`, `bench` and `predict` know.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cli/simulated_operation.h"

namespace postroom::cli {

std::span<const SimulatedOperation> simulated_operations();

/// For a help: "broadcast (or bcast), reduce, …".
std::string operation_names();

/// `bcast`, the word of MPI, is broadcast. UsageError names all of them.
const SimulatedOperation& simulated_operation(std::string_view name);

}  // namespace postroom::cli
