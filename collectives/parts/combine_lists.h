// The lists of all processors, lying in memory that this one reads, combined into one.
#pragma once

#include <span>

#include "collectives/parts/operator.h"
#include "runtime/processor.h"

namespace postroom {

/// Memory of this processor, or of another one that has it in its caches.
enum class Lies { kHere, kElsewhere };

/// Combines lists[0] ⊕ lists[1] ⊕ … element by element, block by block in the cache, and writes the
/// result to each of `results`. `first` says where results[0] lies. `whole` is the size of the list
/// of which these are a part; it decides whether the results go past the caches.
///
/// Preconditions: at least one list and one result, all of the same size. Nothing overlaps, but
/// results[0], if it lies here, may be lists[pivot] itself.
void combine_lists(std::span<const ConstBytes> lists, int pivot, std::span<const Bytes> results,
                   std::size_t whole, const Operator& op, Lies first = Lies::kHere);

}  // namespace postroom
