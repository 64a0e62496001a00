// What the collectives return that give a processor blocks of which it does not know the sizes:
// gatherv, allgatherv, alltoallv.
#pragma once

#include <cstddef>
#include <vector>

#include "runtime/processor.h"

namespace postroom {

/// Blocks in the order of the processors, and how many elements each has.
template <Value T>
struct Gathered {
  std::vector<T> all;
  std::vector<std::size_t> counts;
};

}  // namespace postroom
