// Broadcast by the root alone: a message to each of the others. The baseline; best on two
// processors, where it is the same as the binomial tree. See collectives/broadcast.h.
#pragma once

#include <cstdint>

#include "collectives/models/cost.h"
#include "runtime/processor.h"

namespace postroom {

void broadcast_linear(Processor& self, int root, Bytes data, Where where);
Cost broadcast_linear_cost(int processors, std::int64_t bytes);

}  // namespace postroom
