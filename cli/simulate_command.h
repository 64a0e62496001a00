// `postroom simulate`: a collective on a machine of the postal model, in virtual time.
//
// The library's own programs run on as many processors as asked for; rounds, volume and time are
// exact and the same on every box. One algorithm, with a picture and a trace if wanted, or all of
// an operation side by side.
#pragma once

#include <span>
#include <string>

namespace postroom::cli {

/// Runs the command with the words that follow its name; returns the exit code. Errors: UsageError,
/// std::invalid_argument, std::runtime_error.
int run_simulate(std::span<const std::string> words);

}  // namespace postroom::cli
