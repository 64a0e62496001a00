// Reduce by halving: a range of processors is cut in two, both halves are reduced at the same time,
// and the leader of one half passes its result to the leader of the whole.
//
// Any processor may lead a range, and its result always covers the range from end to end, so two
// results are neighbours and are combined in their order, whoever the root is. ⌈log2 p⌉ levels, as
// many as a binomial tree has. See collectives/reduce.h.
#pragma once

#include <cstdint>

#include "collectives/models/cost.h"
#include "collectives/parts/operator.h"
#include "runtime/processor.h"

namespace postroom {

/// `memory` is overwritten. On `root` it gets the result; elsewhere it may be empty, then what is
/// needed is allocated. It may be `in` itself.
void reduce_binomial(Processor& self, int root, ConstBytes in, Bytes memory, const Operator& op,
                     Where where);
Cost reduce_binomial_cost(int processors, std::int64_t bytes);

}  // namespace postroom
