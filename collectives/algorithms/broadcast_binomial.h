// Broadcast on a binomial tree: who has the list gives one half of its processors to another, and
// goes on with its own half.
//
// Source: [P], section 2; the tree for latency λ in the special case λ = 1. See
// collectives/broadcast.h.
#pragma once

#include <cstdint>

#include "collectives/models/cost.h"
#include "runtime/processor.h"

namespace postroom {

void broadcast_binomial(Processor& self, int root, Bytes data, Where where);
Cost broadcast_binomial_cost(int processors, std::int64_t bytes);

}  // namespace postroom
