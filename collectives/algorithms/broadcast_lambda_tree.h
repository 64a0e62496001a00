// Broadcast on a tree that is made for the latency of the machine.
//
// Source: [P], sections 2.3, 2.4 and 2.6. Who has the list passes it on to its children of a
// PostalTree, in their order. With a tree for latency λ the last processor has it after T_λ(p)
// times the time that a sender needs for one message: no other broadcast of one message is faster.
// See collectives/broadcast.h.
//
//   const PostalTree tree = PostalTree::alpha_table(Rational(39, 20), machine.processors());
//   machine.run([&](Processor& self) { broadcast_lambda_tree(self, 0, data, tree); });
#pragma once

#include <cstdint>

#include "collectives/models/cost.h"
#include "collectives/models/postal_tree.h"
#include "runtime/processor.h"

namespace postroom {

/// `root` is the root of `tree`; the other nodes follow it in the order of the processors,
/// cyclically. In any other order: on a Group of all (runtime/group.h). Throws
/// std::invalid_argument, before anything is sent, for a root that there is not and where the tree
/// is for another number of processors.
void broadcast_lambda_tree(Processor& self, int root, Bytes data, const PostalTree& tree,
                           Where where = Where::current());

/// Rounds are those of the round model, in which λ is 1; the time is tree.time(λ).
Cost broadcast_lambda_tree_cost(const PostalTree& tree, std::int64_t bytes);

}  // namespace postroom
