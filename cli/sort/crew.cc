#include "cli/sort/crew.h"

#include <tbb/global_control.h>

#include <algorithm>

#include "cli/common/this_box.h"
#include "cli/sort/memory_budget.h"

namespace postroom::cli {
namespace {

/// As many as the box gives, if so many can work within the memory that may be used.
int processors_of(const SortArguments& arguments) {
  if (arguments.processors != 0 || !arguments.buffer_bytes) return arguments.processors;
  return std::min(cores_of_this_box(), most_processors_within(*arguments.buffer_bytes));
}

// Not given back: when it may have more threads again oneTBB starts one at once, and where that
// cannot be, it ends the program.
void limit_threads(int most) {
  static const auto* const kept = new tbb::global_control(
      tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(most));
  static_cast<void>(kept);
}

}  // namespace

Crew::Crew(const SortArguments& arguments)
    : machine_({.processors = processors_of(arguments), .pin = arguments.pin}) {
  limit_threads(machine_.processors());
}

SortOptions Crew::options(const SortArguments& arguments) {
  SortOptions options;
  options.algorithm = arguments.algorithm;
  options.descending = arguments.descending;
  options.machine = &machine_;
  return options;
}

}  // namespace postroom::cli
