// How much memory a sort may take, and what of it is left for the data.
//
// With --buffer-size the whole program keeps within that size, and within what the system has
// available and the control group, `ulimit -v` and `ulimit -d` allow. A part is the program's own:
// its code, stacks, tables and the room for text that is printed. Without, the data may take all
// else that is available; where they do not fit, half of it, so that the system has memory for the
// files.
//
//   const MemoryBudget budget(arguments.buffer_bytes, machine.processors());
//   if (memory_for(records, format) <= budget.data_bytes()) …
#pragma once

#include <cstdint>
#include <optional>

#include "numa/available_memory.h"

namespace postroom::cli {

/// The least that this program can work with.
std::uint64_t least_memory_bytes(int processors);
/// With how many processors it can work within `bytes`, at least least_memory_bytes(1).
int most_processors_within(std::uint64_t bytes);

class MemoryBudget {
 public:
  /// `allowed` is at least least_memory_bytes(processors).
  MemoryBudget(std::optional<std::uint64_t> allowed, int processors, const MemoryPaths& paths = {});

  /// For records in memory and what it takes to sort them.
  std::uint64_t data_bytes() const noexcept { return data_bytes_; }
  /// For sorting in runs and merging them.
  std::uint64_t run_bytes() const noexcept { return run_bytes_; }

 private:
  std::uint64_t data_bytes_;
  std::uint64_t run_bytes_;
};

}  // namespace postroom::cli
