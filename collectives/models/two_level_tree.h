// A broadcast tree for nodes of equal size that may enter a node more than once.
//
// The tree that reaches most processors (collectives/models/node_reach.h) fills some nodes from one
// entry each, and sends to others so late that an entry serves only a part of a node. These parts
// are put together to whole nodes, the larger first; what is left over fills what still is open,
// cut to size. This works for all but about one box in 2,000 in the least time of all; what is left
// to do there is that of collectives/models/two_level_search.h.
//
// Cost: that of NodeReach for the time of the tree, and O(processors · nodes).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "collectives/models/node_reach.h"

namespace postroom {

/// Whom each processor sends to, in this order; processor 0 is the root, node i has the processors
/// from i · size on. None if the parts were not put together for `nodes` nodes within `time`.
std::optional<std::vector<std::vector<int>>> two_level_tree(NodeReach& reach, int nodes,
                                                            std::int64_t time);

}  // namespace postroom
