// Whether there is a broadcast within a given time to nodes of equal size, and one if there is.
//
// A broadcast is a tree. What is connected inside a node is a part of that node: it is entered
// once, serves some processors of the node (its size) and sends to other nodes. If everybody sends
// as early as possible, and to somebody else even when nobody needs it, then p = B(T) - the sum of
// all losses. These are
//
//   sends of a part       those in the patterns of collectives/models/node_patterns.h
//   a part                B(t) - s - G(t, s-1) for size s, entered with time t left
//   an unused entry       B(t)
//   what is left over     what parts that cannot send across could serve beyond what is missing
//
// No loss is below 0, by the theorem of collectives/models/node_reach.h. So a broadcast to p
// processors may lose B(T) - p and no more, which is little where T is near the bound.
//
// Hence the search: from the earliest entry on, all choices for the entries at that time are tried:
// a part of which size with which pattern. Of states with the same parts only those are kept whose
// entries to come are not all later than those of another. In the end the parts are put together
// (collectives/models/node_cover.h). First nothing may be lost, then more and more up to B(T) - p:
// trees are mostly found soon, and if there is none, all has been tried.
//
// Cost: mostly below a millisecond; `effort` bounds it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "collectives/models/node_cover.h"
#include "collectives/models/node_reach.h"
#include "collectives/models/search_effort.h"

namespace postroom {

class TwoLevelSearch {
 public:
  static constexpr int kMostNodeSize = NodeCover::kMostNodeSize;

  /// Precondition: nodes have at most kMostNodeSize processors, there are two. `reach` and `effort`
  /// live longer.
  TwoLevelSearch(NodeReach& reach, int nodes, SearchEffort& effort)
      : reach_(reach), nodes_(nodes), effort_(effort), cover_(reach.node().size, effort) {}

  /// Whom each processor sends to, in this order; processor 0 is the root, node i has the
  /// processors from i · size on. None if no broadcast takes `time` or less. Throws SearchTooLong
  /// where that is not found out in time. Precondition: B(time) < NodeReach::kPlenty.
  std::optional<std::vector<std::vector<int>>> tree(std::int64_t time);

 private:
  NodeReach& reach_;
  int nodes_;
  SearchEffort& effort_;
  NodeCover cover_;
};

}  // namespace postroom
