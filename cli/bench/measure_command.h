// `postroom measure`: λ and t0 of this box, level by level, and what else Algorithm::automatic
// wants to know; or of a machine under the clock of a model, which must give back what was put in.
//
// docs/measure.md says what each figure means.
#pragma once

#include <span>
#include <string>

namespace postroom::cli {

/// Runs the command with the words that follow its name; returns the exit code. Errors: UsageError,
/// std::system_error, std::runtime_error.
int run_measure(std::span<const std::string> words);

}  // namespace postroom::cli
