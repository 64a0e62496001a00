// What the collectives return that give a processor blocks of which it does not know the sizes:
// gatherv, allgatherv, alltoallv, and scatterv the block alone.
#pragma once

#include <concepts>
#include <cstddef>
#include <vector>

#include "runtime/processor.h"

namespace postroom {

/// Of bool there is none: its vector has no bytes.
template <class T>
concept Gatherable = Value<T> && std::default_initializable<T> && !std::same_as<T, bool>;

/// Blocks in the order of the processors, and how many elements each has.
template <Gatherable T>
struct Gathered {
  std::vector<T> all;
  std::vector<std::size_t> counts;
};

}  // namespace postroom
