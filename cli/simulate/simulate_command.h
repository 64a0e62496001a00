// `postroom simulate`: a collective on a machine of the postal model, in virtual time or, with
// --t0, in real time; or on the packet model of a fat tree.
//
// The library's own programs run on as many processors as asked for; but for real time, all figures
// are exact and the same on every box. One algorithm, with a picture and a trace if wanted, or all
// of an operation side by side.
#pragma once

#include <span>
#include <string>

namespace postroom::cli {

/// Runs the command with the words that follow its name; returns the exit code. Errors: UsageError,
/// std::invalid_argument, std::runtime_error.
int run_simulate(std::span<const std::string> words);

}  // namespace postroom::cli
