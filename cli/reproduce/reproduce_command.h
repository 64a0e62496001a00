// `postroom reproduce`: the tables and figures of the papers, made anew on this box.
//
// Writes FOLDER/index.md and, for each paper, a page with its tables (CSV) and figures (SVG) in a
// folder beside it; see cli/reproduce/paper_page.h. Files are replaced one by one, each as a whole,
// so a run that is stopped leaves a mixture of old and new files but no broken one.
#pragma once

#include <span>
#include <string>

namespace postroom::cli {

/// Runs the command with the words that follow its name; returns the exit code. Errors: UsageError,
/// std::invalid_argument, std::system_error.
int run_reproduce(std::span<const std::string> words);

}  // namespace postroom::cli
