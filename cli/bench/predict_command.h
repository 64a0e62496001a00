// `postroom predict`: how long each algorithm of an operation takes in a model, or on this box.
//
// Nothing is run. The model is given by λ and t0, or is the profile of the box
// (collectives/models/profile.h).
#pragma once

#include <span>
#include <string>

namespace postroom::cli {

/// Runs the command with the words that follow its name; returns the exit code. Errors: UsageError,
/// std::invalid_argument, std::runtime_error.
int run_predict(std::span<const std::string> words);

}  // namespace postroom::cli
