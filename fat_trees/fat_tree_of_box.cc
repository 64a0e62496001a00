#include "fat_trees/fat_tree_of_box.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace postroom {
namespace {

/// One level of the tree: the groups, and the level of the box that they stand for.
struct Level {
  std::vector<int> groups;
  int box_level;
};

std::vector<int> groups_at(const Topology& box, const std::vector<int>& leaves, int level) {
  std::vector<int> groups;
  for (const int leaf : leaves) groups.push_back(box.subtree(leaf, level).first);
  return groups;
}

bool joins_anything(const std::vector<int>& groups, const std::vector<int>& below) {
  for (std::size_t i = 1; i < groups.size(); ++i) {
    if (groups[i] == groups[i - 1] && below[i] != below[i - 1]) return true;
  }
  return false;
}

/// Levels at which nothing branches are left out.
std::vector<Level> levels_of(const Topology& box, const std::vector<int>& leaves) {
  std::vector<Level> levels;
  std::vector<int> below(leaves.size());
  std::iota(below.begin(), below.end(), 0);
  for (int level = 0; level < box.level_count(); ++level) {
    std::vector<int> groups = groups_at(box, leaves, level);
    if (!joins_anything(groups, below)) continue;
    below = groups;
    levels.push_back({std::move(groups), level});
  }
  return levels;
}

/// How much farther the memory of a neighbour is that is met at `box_level`, relative to one's own;
/// the least of all leaves.
double farness(const Topology& box, const std::vector<int>& leaves, int box_level) {
  double least = 0;
  for (const int leaf : leaves) {
    const auto [first, last] = box.subtree(leaf, box_level);
    const int own = box.node_of(leaf);
    const double local = std::max(1, box.node_distance(own, own));
    // The farthest end of the subtree is met at this level, or is the leaf itself.
    for (const int end : {first, last - 1}) {
      if (box.level(leaf, end) != box_level) continue;
      const double ratio = box.node_distance(own, box.node_of(end)) / local;
      if (least == 0 || ratio < least) least = ratio;
    }
  }
  return std::max(1.0, least);
}

void check_order(const std::vector<int>& leaves) {
  const auto falls = std::ranges::is_sorted_until(leaves);
  if (falls == leaves.end()) return;
  const std::string processor = std::to_string(falls - leaves.begin());
  throw std::invalid_argument("fat tree: processor " + processor + " on leaf " +
                              std::to_string(*falls) + " is not allowed; " +
                              std::to_string(*(falls - 1)) + " or more, processors are in the " +
                              "order of the leaves");
}

}  // namespace

FatTree fat_tree_of(const Topology& box, const std::vector<int>& leaf_of_processor) {
  check_order(leaf_of_processor);
  const std::vector<Level> levels = levels_of(box, leaf_of_processor);
  std::vector<std::vector<int>> groups;
  for (const Level& level : levels) groups.push_back(level.groups);
  const FatTree tree =
      FatTree::from_groups(static_cast<int>(leaf_of_processor.size()), groups).exponential();
  std::vector<int> capacities;
  for (int i = 0; i < tree.levels(); ++i) {
    const double usable =
        tree.capacity(i + 1) / farness(box, leaf_of_processor, levels[i].box_level);
    const int least = i == 0 ? 1 : capacities.back();
    capacities.push_back(std::max(least, static_cast<int>(usable)));
  }
  return tree.with_capacities(std::move(capacities));
}

FatTree fat_tree_of(const Topology& box) {
  std::vector<int> leaves(box.leaf_count());
  std::iota(leaves.begin(), leaves.end(), 0);
  return fat_tree_of(box, leaves);
}

}  // namespace postroom
