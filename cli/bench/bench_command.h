// `postroom bench`: collectives measured, beside what the model predicts.
#pragma once

#include <span>
#include <string>

namespace postroom::cli {

/// Runs the command with the words that follow its name; returns the exit code. Errors: UsageError,
/// std::invalid_argument, std::runtime_error.
int run_bench_command(std::span<const std::string> words);

}  // namespace postroom::cli
