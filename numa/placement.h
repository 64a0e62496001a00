// Which processor runs on which leaf of the box.
//
// Processors are placed in leaf order, so that any subtree of the box holds a contiguous range of
// processors: what collectives need to finish each subtree inside before they leave it. Cores are
// filled first, from the first one on, one processor each; then their SMT siblings, one more a core
// at a time; more processors than leaves share the leaves in contiguous runs, as evenly as
// possible.
//
// Cost: O(leaves + processors) time and memory; a million processors take a few milliseconds.
// Errors: std::invalid_argument for less than one processor.
//
//   const Placement placement = place(Topology::synthetic("package:2 core:2 pu:2"), 3);
//   placement.leaf_of_processor;   // {0, 2, 4}: three cores
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "numa/topology.h"

namespace postroom {

struct Placement {
  std::vector<int> leaf_of_processor;  ///< never falls
  /// How many of them can run at once: no more than leaves, or than the cgroup's quota of this
  /// machine keeps busy.
  int at_once = 0;
  /// Whether there are more, so that waiting ones should give way rather than spin.
  bool oversubscribed = false;
  /// Not where a quota allows fewer CPUs than there are cores: other processes, which have quotas
  /// of their own, would be on the same first ones, and the rest idle.
  bool may_be_pinned = true;
  std::vector<std::string> notes;  ///< the topology's, and what is unfavourable about this number
  std::string reason;              ///< why so many processors, in a few words
};

/// A number of processors, and why.
struct ProcessorCount {
  int processors = 1;
  std::string reason;
};

/// As many as the box runs well: one for each core, bounded by the CPU quota (in CPUs) if there is
/// one.
ProcessorCount choose_processors(const Topology& topology, std::optional<double> quota);

/// Places `processors` on the leaves of `topology`, of whose CPUs `quota` may run at once, if
/// given.
Placement place_with_quota(const Topology& topology, int processors, std::optional<double> quota);

/// `processors` leaves, rising: those on which the fewest others are, of whom leaf i has others[i];
/// among leaves with as many, those that place() takes. Precondition: there are so many leaves.
std::vector<int> least_used_leaves(const Topology& topology, int processors,
                                   const std::vector<int>& others);

/// The first two with the quota of this process, which counts on this machine only.
int default_processors(const Topology& topology);
Placement place(const Topology& topology, int processors);

}  // namespace postroom
