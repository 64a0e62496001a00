#include "fat_trees/box_tree.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "fat_trees/fat_tree_of_box.h"

namespace postroom {

BoxTree box_tree_of(const Topology& box, const std::vector<int>& leaf_of_processor) {
  BoxTree boxed{fat_tree_of(box, leaf_of_processor), 0, 0};
  boxed.far_level = boxed.tree.levels() + 1;
  boxed.cache_level = boxed.far_level;
  for (int i = 1; i < boxed.tree.leaf_count(); ++i) {
    const Leaf& left = box.leaf(leaf_of_processor[i - 1]);
    const Leaf& right = box.leaf(leaf_of_processor[i]);
    const bool near = left.node == right.node && left.package == right.package;
    if (near && left.l3.first_leaf == right.l3.first_leaf) continue;
    int& lowest = near ? boxed.cache_level : boxed.far_level;
    lowest = std::min(lowest, boxed.tree.level(i - 1, i));
  }
  return boxed;
}

bool BoxTree::has_caches() const {
  constexpr int kProcessors = 16;
  constexpr int kOfCache = 4;
  const int processors = tree.leaf_count();
  if (processors < kProcessors || far_level <= tree.levels() || cache_level > tree.levels()) {
    return false;
  }
  const auto [first, last] = tree.nodes(cache_level - 1);
  return processors >= kOfCache * (last - first);
}

std::optional<BoxTree> part_of(const BoxTree& whole, const std::vector<int>& processors) {
  if (std::ranges::adjacent_find(processors, std::greater_equal()) != processors.end()) return {};
  std::vector<std::vector<int>> groups;
  std::vector<int> levels;  // those of the whole that the groups stand for
  // Levels at which nothing branches are left out.
  const auto joins_anything = [&](int level) {
    for (std::size_t i = 1; i < processors.size(); ++i) {
      if (whole.tree.level(processors[i - 1], processors[i]) == level) return true;
    }
    return false;
  };
  for (int level = 1; level <= whole.tree.levels(); ++level) {
    if (!joins_anything(level)) continue;
    levels.push_back(level);
    std::vector<int>& group = groups.emplace_back();
    for (const int processor : processors) {
      group.push_back(whole.tree.ancestor(processor, level));
    }
  }
  const auto level_in_part = [&](int level) {
    return static_cast<int>(std::ranges::lower_bound(levels, level) - levels.begin()) + 1;
  };
  return BoxTree{FatTree::from_groups(static_cast<int>(processors.size()), groups),
                 level_in_part(whole.far_level), level_in_part(whole.cache_level)};
}

}  // namespace postroom
