// Broadcast along the best tree for a box whose levels differ in latency.
//
// See collectives/level_tree.h for the tree and what is proved of it. The tree is made once,
// outside the run, and read by all processors. Rounds: as many as the tree is deep or wide, no
// fewer than ⌈log2 p⌉; every processor but the root receives once.
#pragma once

#include "collectives/level_tree.h"
#include "runtime/processor.h"

namespace postroom {

/// `data` has the same size on all processors; it is read on `root` and overwritten on the others.
/// Wrong roots, and a tree for another number of processors, are std::invalid_argument before any
/// message is sent.
void broadcast_level_tree(Processor& self, int root, Bytes data, const LevelTree& tree,
                          Where where = Where::current());

}  // namespace postroom
