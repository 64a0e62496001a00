// Boxes of many shapes for the tests of numa/: regular ones with what is known about them
// beforehand, and odd ones that no generator offers.
#pragma once

#include <string>
#include <vector>

#include "numa/topology.h"

namespace postroom {

/// A box described in hwloc's words, and the same by hand.
struct Box {
  std::string description;
  std::vector<int> arities;  // from the outside to the inside, down to the PUs
  int cores;
  int nodes;
};

/// At least thirty.
const std::vector<Box>& regular_boxes();

struct OddBox {
  std::string name;
  Topology topology;
};

/// CPUs outside every node, nodes without CPUs, branches of unequal length, …
std::vector<OddBox> odd_boxes();

/// A tree of an inner object, for boxes made by hand; depths are filled in by kind.
TreeObject object(ObjectKind kind, std::vector<TreeObject> children, std::vector<int> nodes = {});
TreeObject pu(int os_index);

}  // namespace postroom
