#include "numa/placement.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "numa/quota.h"
#include "numa/words.h"

namespace postroom {
namespace {

std::optional<double> quota_of(const Topology& topology) {
  return topology.is_this_machine() ? cpu_quota() : std::nullopt;
}

/// p > leaves: processor i of p sits on leaf i · leaves / p.
std::vector<int> share_leaves(int leaves, int processors) {
  std::vector<int> leaf_of_processor(processors);
  for (int i = 0; i < processors; ++i) {
    leaf_of_processor[i] = static_cast<int>(std::int64_t{i} * leaves / processors);
  }
  return leaf_of_processor;
}

/// p <= leaves: in round r every core that has more than r leaves gets its next processor; the last
/// round reaches only some of them.
std::vector<int> fill_cores(const Topology& topology, int processors) {
  std::vector<int> taken;
  for (int round = 0; static_cast<int>(taken.size()) < processors; ++round) {
    std::vector<int> offered;
    for (int leaf = 0; leaf < topology.leaf_count(); ++leaf) {
      if (topology.leaf(leaf).sibling == round) offered.push_back(leaf);
    }
    const std::size_t missing = static_cast<std::size_t>(processors) - taken.size();
    offered.resize(std::min(missing, offered.size()));
    taken.insert(taken.end(), offered.begin(), offered.end());
  }
  std::sort(taken.begin(), taken.end());
  return taken;
}

/// "1.5", "2".
std::string quota_in_words(double quota) {
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%.4g", quota);
  return text.data();
}

std::string note_on(const Topology& topology, int processors, std::optional<double> quota) {
  const int leaves = topology.leaf_count();
  const int cores = topology.core_count();
  if (processors > leaves) {
    return counted(processors, "processor") + " take turns on " + counted(leaves, "CPU") + ".";
  }
  if (quota && processors > whole_cpus(*quota)) {
    return counted(processors, "processor") + " take turns: the cgroup's CPU quota is " +
           quota_in_words(*quota) + ".";
  }
  if (processors > cores) {
    return counted(processors, "processor") + " on " + counted(cores, "core") +
           ": some share a core.";
  }
  return "";
}

}  // namespace

ProcessorCount choose_processors(const Topology& topology, std::optional<double> quota) {
  const int cores = topology.core_count();
  if (quota && whole_cpus(*quota) < cores) {
    return {whole_cpus(*quota), "as many as the cgroup's CPU quota of " + quota_in_words(*quota) +
                                    " keeps busy, on " + counted(cores, "core")};
  }
  return {cores, "one for each core"};
}

int default_processors(const Topology& topology) {
  return choose_processors(topology, quota_of(topology)).processors;
}

Placement place(const Topology& topology, int processors) {
  return place_with_quota(topology, processors, quota_of(topology));
}

Placement place_with_quota(const Topology& topology, int processors, std::optional<double> quota) {
  if (processors < 1) {
    throw std::invalid_argument("processors: " + std::to_string(processors) +
                                " is not allowed; at least 1");
  }
  const int leaves = topology.leaf_count();
  Placement placement;
  placement.leaf_of_processor =
      processors > leaves ? share_leaves(leaves, processors) : fill_cores(topology, processors);
  placement.at_once = std::min(processors, leaves);
  if (quota) placement.at_once = std::min(placement.at_once, whole_cpus(*quota));
  placement.oversubscribed = processors > placement.at_once;
  placement.may_be_pinned = !quota || whole_cpus(*quota) >= topology.core_count();
  placement.notes = topology.notes();
  const std::string note = note_on(topology, processors, quota);
  if (!note.empty()) placement.notes.push_back(note);
  const ProcessorCount chosen = choose_processors(topology, quota);
  placement.reason = processors == chosen.processors
                         ? chosen.reason
                         : "asked for; by itself the box would take " +
                               std::to_string(chosen.processors) + ", " + chosen.reason;
  return placement;
}

std::vector<int> least_used_leaves(const Topology& topology, int processors,
                                   const std::vector<int>& others) {
  std::vector<int> leaves(others.size());
  std::iota(leaves.begin(), leaves.end(), 0);
  std::ranges::stable_sort(leaves, {}, [&](int leaf) {
    return std::pair(others[static_cast<std::size_t>(leaf)], topology.leaf(leaf).sibling);
  });
  leaves.resize(static_cast<std::size_t>(processors));
  std::ranges::sort(leaves);
  return leaves;
}

}  // namespace postroom
