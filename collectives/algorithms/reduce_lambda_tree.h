// Reduce on the tree of a broadcast, run backwards: with the λ-tree, the least time there is.
//
// Source: [P], section 2, reversed in time. A range of processors is cut in two by a SplitRule,
// both parts are reduced at the same time, and the leader of the smaller part passes its result to
// the leader of the whole. Where a broadcast sends to its largest part first, a reduce receives
// from it last. Any processor may lead a range, and its result always covers the range from end to
// end, so the order of the processors is kept whoever the root is and the operator need not
// commute. See collectives/reduce.h.
#pragma once

#include <cstdint>

#include "collectives/models/cost.h"
#include "collectives/models/postal_tree.h"
#include "collectives/parts/operator.h"
#include "runtime/processor.h"

namespace postroom {

/// `memory` is overwritten. On `root` it gets the result; elsewhere it may be empty, then what is
/// needed is allocated. It may be `in` itself. `rule` is for at least as many processors.
void reduce_lambda_tree(Processor& self, int root, ConstBytes in, Bytes memory, const Operator& op,
                        const SplitRule& rule, Where where = Where::current());

/// Rounds are those of the round model, in which λ is 1; the time is split_time(rule, p, λ). Where
/// the rule gives more than it keeps, both are so for the first and the last processor as root
/// only; a leader amid its range keeps the larger part if it lies outside the smaller one.
Cost reduce_lambda_tree_cost(const SplitRule& rule, int processors, std::int64_t bytes);

}  // namespace postroom
