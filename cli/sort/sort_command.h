// `postroom sort`: a file sorted, checked or planned.
#pragma once

#include <span>
#include <string>

namespace postroom::cli {

/// Runs the command with the words that follow its name; returns the exit code: 0, or 1 where a
/// check has found the input not in order. Errors: whatever was thrown; the output is as it was.
int run_sort(std::span<const std::string> words);

}  // namespace postroom::cli
