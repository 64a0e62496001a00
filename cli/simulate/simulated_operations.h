// The operations that `postroom simulate`, `bench` and `predict` know.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cli/simulate/simulated_operation.h"

namespace postroom::cli {

std::span<const SimulatedOperation> simulated_operations();

/// For a help: "broadcast (or bcast), reduce, …".
std::string operation_names();

/// `bcast`, the word of MPI, is broadcast. UsageError names all of them, and `also`, which the
/// caller has looked for, if it is not empty.
const SimulatedOperation& simulated_operation(std::string_view name, std::string_view also = {});

}  // namespace postroom::cli
