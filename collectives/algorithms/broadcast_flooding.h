// Broadcast in one round: the root to all others at once.
//
// Source: [F], section 2.1: the routers replicate the message in all directions; 2 log n steps on a
// fat tree, which is optimal. A processor has no routers: it takes p - 1 ports. The others read it
// from the root's memory side by side. See collectives/broadcast.h.
#pragma once

#include <cstdint>

#include "collectives/models/cost.h"
#include "runtime/processor.h"

namespace postroom {

void broadcast_flooding(Processor& self, int root, Bytes data, Where where);
/// With p - 1 ports.
Cost broadcast_flooding_cost(int processors, std::int64_t bytes);

}  // namespace postroom
