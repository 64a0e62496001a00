// Allreduce as a reduce to processor 0 and a broadcast from it, both on the tree for the latency.
//
// Source: [P], sections 2 and 3, as what gives the same bits on every processor and takes operators
// that do not commute; twice the time of the global combine. See collectives/allreduce.h.
#pragma once

#include <cstdint>

#include "collectives/models/cost.h"
#include "collectives/parts/operator.h"
#include "runtime/processor.h"
#include "runtime/rational.h"

namespace postroom {

/// `in` and `out` have equal sizes and are one and the same or disjoint.
void allreduce_lambda_tree(Processor& self, ConstBytes in, Bytes out, const Operator& op,
                           Rational latency, Where where);
/// Rounds are those of the round model, in which λ is 1; the time is 2 T_λ(p).
Cost allreduce_lambda_tree_cost(int processors, std::int64_t bytes, Rational latency);

}  // namespace postroom
