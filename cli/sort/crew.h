// Who does the work of one command: the processors of a machine, and as many threads of oneTBB for
// reading, parsing and writing, from then on in all of the process.
//
//   Crew crew(arguments);
//   sort_records(bytes, 8, 0, KeyType::u64, crew.options(arguments));
#pragma once

#include "cli/sort/sort_arguments.h"
#include "runtime/machine.h"
#include "sort/options.h"

namespace postroom::cli {

class Crew {
 public:
  explicit Crew(const SortArguments& arguments);

  Machine& machine() noexcept { return machine_; }
  int processors() const noexcept { return machine_.processors(); }
  SortOptions options(const SortArguments& arguments);

 private:
  Machine machine_;
};

}  // namespace postroom::cli
