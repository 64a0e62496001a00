#include "numa/box_tree.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "numa/fat_tree_of_box.h"

namespace postroom {

BoxTree box_tree_of(const Topology& box, const std::vector<int>& leaf_of_processor) {
  BoxTree boxed{fat_tree_of(box, leaf_of_processor), 0};
  boxed.far_level = boxed.tree.levels() + 1;
  for (int i = 1; i < boxed.tree.leaf_count(); ++i) {
    const Leaf& left = box.leaf(leaf_of_processor[i - 1]);
    const Leaf& right = box.leaf(leaf_of_processor[i]);
    if (left.node == right.node && left.package == right.package) continue;
    boxed.far_level = std::min(boxed.far_level, boxed.tree.level(i - 1, i));
  }
  return boxed;
}

std::optional<BoxTree> part_of(const BoxTree& whole, const std::vector<int>& processors) {
  if (std::ranges::adjacent_find(processors, std::greater_equal()) != processors.end()) return {};
  std::vector<std::vector<int>> groups;
  int far_level = 0;
  // Levels at which nothing branches are left out.
  const auto joins_anything = [&](int level) {
    for (std::size_t i = 1; i < processors.size(); ++i) {
      if (whole.tree.level(processors[i - 1], processors[i]) == level) return true;
    }
    return false;
  };
  for (int level = 1; level <= whole.tree.levels(); ++level) {
    if (!joins_anything(level)) continue;
    std::vector<int>& group = groups.emplace_back();
    for (const int processor : processors) {
      group.push_back(whole.tree.ancestor(processor, level));
    }
    if (far_level == 0 && level >= whole.far_level) far_level = static_cast<int>(groups.size());
  }
  const int none = static_cast<int>(groups.size()) + 1;
  return BoxTree{FatTree::from_groups(static_cast<int>(processors.size()), groups),
                 far_level == 0 ? none : far_level};
}

}  // namespace postroom
