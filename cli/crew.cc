#include "cli/crew.h"

namespace postroom::cli {

Crew::Crew(const SortArguments& arguments)
    : machine_({.processors = arguments.processors, .pin = arguments.pin}),
      threads_(tbb::global_control::max_allowed_parallelism,
               static_cast<std::size_t>(machine_.processors())) {}

SortOptions Crew::options(const SortArguments& arguments) {
  SortOptions options;
  options.algorithm = arguments.algorithm;
  options.descending = arguments.descending;
  options.machine = &machine_;
  return options;
}

}  // namespace postroom::cli
