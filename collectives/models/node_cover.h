// Whether parts can be put together to whole nodes.
//
// A part is what one entry serves of a node. One that sends to other nodes is fixed: it has a
// definite size and has to be somewhere. Any other is loose: it may be cut to what is missing, or
// left out.
//
// One node after the other is filled, and what failed is remembered. Parts of equal size are alike.
// Each node begins with the largest fixed part, or else the largest loose one: some node has it, or
// could have it in place of a smaller one. If the rest can be done at all, it can be so that this
// node takes as little as possible and, of what is equally much, the fewest loose parts, since it
// can exchange parts with the other nodes and with what is left over. So, from the largest part
// down,
//
//   a part that completes the node is the smallest there is for it, and if it fits exactly, nothing
//   else is tried
//   no loose parts of the node are together as large as a single one that is left
//
// Cost: that of a search, mostly some hundred nodes filled; `effort` bounds it.
#pragma once

#include <bitset>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "collectives/models/search_effort.h"

namespace postroom {

/// How many parts there are, of sizes 1 … size of a node: [0] is not used.
struct NodeParts {
  explicit NodeParts(int node_size) : fixed(node_size + 1), loose(node_size + 1) {}

  std::vector<int> fixed, loose;
  friend auto operator<=>(const NodeParts&, const NodeParts&) = default;
};

struct PlacedPart {
  int node = 0;
  int size = 0;
  int used = 0;  ///< less than size if it was cut
  bool is_fixed = false;
};

class NodeCover {
 public:
  static constexpr int kMostNodeSize = 1024;

  /// Precondition: 1 <= node_size <= kMostNodeSize.
  NodeCover(int node_size, SearchEffort& effort)
      : node_size_(node_size), effort_(effort), left_(node_size) {}

  /// Where to put the parts so that `nodes` nodes are full; those that are left out are not named.
  /// None if they do not suffice.
  std::optional<std::vector<PlacedPart>> fill(const NodeParts& parts, int nodes);

 private:
  using Sizes = std::bitset<kMostNodeSize + 1>;

  /// The node that is being filled.
  struct Node {
    int number;
    int missing;       // processors
    int largest;       // of the parts that may still come
    int spare;         // how many processors all parts have too many
    Sizes sums = {1};  // of some of its loose parts
  };

  bool fill_nodes(int nodes);
  bool add_fixed(Node node);
  bool add_loose(Node node);
  bool place_fixed(Node node, int size);
  bool place_loose(Node node, int size);
  bool is_sum_left(const Node& node, int size) const;
  int processors_left() const;

  int node_size_;
  SearchEffort& effort_;
  NodeParts left_;
  std::vector<PlacedPart> placed_;
  std::set<std::pair<int, NodeParts>> futile_;  // nodes to fill, from what
};

}  // namespace postroom
