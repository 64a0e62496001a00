#include "fat_trees/fat_tree_bounds.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>
#include <string>

#include "numa/rounding.h"

namespace postroom {
namespace {

void check_root(const FatTree& tree, int root) {
  if (root >= 0 && root < tree.leaf_count()) return;
  throw std::invalid_argument("bound: root " + std::to_string(root) + " is not allowed; 0 to " +
                              std::to_string(tree.leaf_count() - 1));
}

}  // namespace

std::int64_t broadcast_bound(const FatTree& tree, int root) {
  check_root(tree, root);
  // The farther end of the whole range of leaves is met highest.
  return 2 * std::max(tree.level(root, 0), tree.level(root, tree.leaf_count() - 1));
}

std::int64_t scatter_bound(const FatTree& tree, int root) {
  check_root(tree, root);
  std::int64_t steps = 0;
  for (int level = 1; level <= tree.levels(); ++level) {
    const int as_far = tree.leaf_count() - tree.size(tree.ancestor(root, level - 1));
    if (as_far == 0) break;
    steps = std::max(steps, 2 * level - 1 + ceil_divide<std::int64_t>(as_far, tree.capacity(1)));
  }
  return steps;
}

std::int64_t multinode_broadcast_bound(const FatTree& tree) {
  std::int64_t steps = 0;
  for (int leaf = 0; leaf < tree.leaf_count(); ++leaf) {
    steps = std::max(steps, scatter_bound(tree, leaf));
  }
  return steps;
}

std::int64_t total_exchange_bound(const FatTree& tree) {
  std::int64_t steps = multinode_broadcast_bound(tree);
  const std::int64_t leaves = tree.leaf_count();
  for (int node = 0; node < tree.root(); ++node) {
    const std::int64_t crossing = tree.size(node) * (leaves - tree.size(node));
    if (crossing == 0) continue;
    const int level = tree.level(node) + 1;
    steps =
        std::max(steps, ceil_divide<std::int64_t>(crossing, tree.capacity(level)) + 2 * level - 1);
  }
  return steps;
}

std::int64_t total_exchange_exponential_bound(int leaves) {
  if (leaves < 4 || !std::has_single_bit(static_cast<unsigned>(leaves))) {
    throw std::invalid_argument("bound: " + std::to_string(leaves) +
                                " leaves are not allowed in Lemma 3; a power of two from 4 on");
  }
  const int levels = std::countr_zero(static_cast<unsigned>(leaves));
  const double bound = leaves + 2.0 * levels - 2 * std::log2(levels) - 2;
  return static_cast<std::int64_t>(std::ceil(bound - 1e-9));
}

}  // namespace postroom
