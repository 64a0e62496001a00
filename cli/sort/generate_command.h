// `postroom generate`: a file of made-up keys, to try the sort on.
//
// The keys follow from their number, the distribution and the seed alone, whatever the box; see
// sort/datasets.h. Made and written in parallel, a piece at a time: the memory does not grow with
// the file. The output is safe as that of `sort`: complete or not there.
#pragma once

#include <span>
#include <string>

namespace postroom::cli {

/// Runs the command with the words that follow its name; returns the exit code. Errors: UsageError,
/// std::system_error.
int run_generate(std::span<const std::string> words);

}  // namespace postroom::cli
