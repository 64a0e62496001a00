#include "numa/tree.h"

#include <functional>
#include <set>
#include <stdexcept>
#include <utility>

namespace postroom {
namespace {

using Wanted = std::function<bool(const TreeObject& pu)>;

/// Takes what is not wanted from `object`; returns whether a PU is left below it.
bool keep(TreeObject& object, const Wanted& wanted, std::vector<MemoryNode>& nodes) {
  if (object.kind == ObjectKind::kPu) return wanted(object);
  std::vector<TreeObject> kept;
  for (TreeObject& child : object.children) {
    if (keep(child, wanted, nodes)) {
      kept.push_back(std::move(child));
      continue;
    }
    for (const int node : child.nodes) {
      nodes[node].has_cpus = false;
      object.nodes.push_back(node);
    }
  }
  object.children = std::move(kept);
  return !object.children.empty();
}

}  // namespace

std::string kind_name(ObjectKind kind) {
  switch (kind) {
    case ObjectKind::kMachine:
      return "machine";
    case ObjectKind::kPackage:
      return "package";
    case ObjectKind::kDie:
      return "die";
    case ObjectKind::kGroup:
      return "group";
    case ObjectKind::kL5:
      return "L5";
    case ObjectKind::kL4:
      return "L4";
    case ObjectKind::kL3:
      return "L3";
    case ObjectKind::kL2:
      return "L2";
    case ObjectKind::kL1d:
      return "L1d";
    case ObjectKind::kCore:
      return "core";
    case ObjectKind::kPu:
      break;
  }
  return "PU";
}

void drop_empty(Tree& tree) {
  const bool is_left = keep(
      tree.root, [](const TreeObject&) { return true; }, tree.nodes);
  if (!is_left) throw std::invalid_argument("topology: there is no CPU in " + tree.name);
}

void restrict_to(Tree& tree, const std::vector<int>& cpus) {
  const std::set<int> wanted(cpus.begin(), cpus.end());
  const bool is_left = keep(
      tree.root, [&](const TreeObject& pu) { return wanted.count(pu.os_index) != 0; }, tree.nodes);
  if (!is_left) {
    throw std::invalid_argument("topology: none of the CPUs asked for is in " + tree.name);
  }
}

Tree flat_tree(const std::vector<int>& cpus) {
  if (cpus.empty()) throw std::invalid_argument("topology: 0 CPUs are not allowed; at least 1");
  Tree tree;
  tree.name = "a flat machine";
  tree.root.kind = ObjectKind::kMachine;
  tree.root.nodes = {0};
  tree.nodes = {MemoryNode{}};
  for (const int cpu : cpus) {
    tree.root.children.push_back({.kind = ObjectKind::kPu,
                                  .depth = 1,
                                  .os_index = cpu,
                                  .cache_bytes = 0,
                                  .nodes = {},
                                  .children = {}});
  }
  return tree;
}

}  // namespace postroom
