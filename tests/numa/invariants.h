// What holds for every topology and every placement, checked the slow way.
#pragma once

#include "numa/placement.h"
#include "numa/topology.h"

namespace postroom {

/// Leaves contiguous in every subtree, levels an ultrametric that uses every level, cores and nodes
/// numbered without gaps. Fails the running test where that is not so.
void expect_valid(const Topology& topology);

/// Of a box that states no distances: 10 to itself, at least 20 to the others, symmetric.
void expect_metric_distances(const Topology& topology);

/// Processors in leaf order, cores before siblings, leaves shared evenly.
void expect_valid(const Topology& topology, const Placement& placement, int processors);

}  // namespace postroom
