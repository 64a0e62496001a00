// Broadcast on a binomial tree: who has the list passes it on, to the largest subtree first.
//
// Source: [P], section 2; the special case λ = 1 of the tree for latency λ. See
// collectives/broadcast.h.
#pragma once

#include <cstdint>

#include "collectives/cost.h"
#include "runtime/processor.h"

namespace postroom {

void broadcast_binomial(Processor& self, int root, Bytes data, Where where);
Cost broadcast_binomial_cost(int processors, std::int64_t bytes);

}  // namespace postroom
