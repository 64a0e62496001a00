// The words after `postroom reproduce`.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/reproduce/paper.h"

namespace postroom::cli {

struct ReproduceArguments {
  std::vector<const Paper*> papers;
  std::string folder = "papers";
  Effort effort;
};

/// All that there are, in the order of the index page.
std::vector<const Paper*> all_papers();

/// Throws UsageError on the first mistake.
ReproduceArguments parse_reproduce(std::span<const std::string> words);

}  // namespace postroom::cli
