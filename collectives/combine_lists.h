// The lists of all processors, lying in memory that this one reads, combined into one.
#pragma once

#include <span>

#include "collectives/operator.h"
#include "runtime/processor.h"

namespace postroom {

/// Memory of this processor, or of another one that has it in its caches.
enum class Lies { kHere, kElsewhere };

/// Combines lists[0] ⊕ lists[1] ⊕ … element by element, block by block in the cache, and writes the
/// result to each of `results`, of which the first one lies where `first` says. All have the same
/// size. An own results[0] may be lists[pivot] itself; apart from that nothing overlaps. `whole`:
/// of how large a list these are a part, which decides whether the results go past the caches. At
/// least one list and one result.
void combine_lists(std::span<const ConstBytes> lists, int pivot, std::span<const Bytes> results,
                   std::size_t whole, const Operator& op, Lies first = Lies::kHere);

}  // namespace postroom
