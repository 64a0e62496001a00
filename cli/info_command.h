// `postroom info`: the box as Postroom sees it.
//
// A picture of the tree; the CPUs, caches, memory and their limits; which processor is pinned where
// and why so many; notes on what could not be read or is refused. The same as JSON on request.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "cli/simulate/level_bandwidth.h"
#include "fat_trees/fat_tree.h"
#include "numa/placement.h"
#include "numa/topology.h"

namespace postroom::cli {

/// Runs the command with the words that follow its name; returns the exit code. Errors: UsageError,
/// std::invalid_argument, std::system_error.
int run_info(std::span<const std::string> words);

/// What `info` tells.
struct BoxReport {
  Topology topology;
  Placement placement;
  std::optional<double> cpu_quota;                      ///< in CPUs
  std::optional<std::uint64_t> memory_limit_bytes;      ///< of the control group
  std::optional<std::uint64_t> available_memory_bytes;  ///< nothing on a made-up box
  std::vector<std::string> notes;
  std::optional<MeasuredFatTree> measured;

  /// The processors as leaves, with the capacities that were measured, if they were.
  FatTree fat_tree() const;
};

/// Looks at `topology` ("" is this machine; see Topology::parse) with `processors` processors; 0:
/// as many as the box would take by itself.
BoxReport look_at_box(const std::string& topology, int processors);

std::string to_text(const BoxReport& report);
/// What `--fat-tree` adds.
std::string fat_tree_to_text(const BoxReport& report);
std::string to_json(const BoxReport& report);

}  // namespace postroom::cli
