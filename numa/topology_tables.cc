#include "numa/topology_tables.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace postroom {
namespace {

[[noreturn]] void contradiction(const Tree& tree, const std::string& what) {
  throw std::invalid_argument("topology: " + tree.name + ": " + what);
}

bool is_leaf(const TreeObject& object) { return object.kind == ObjectKind::kPu; }

/// An inner object of the tree, with the leaves below it.
struct Inner {
  const TreeObject* object;
  LeafRange leaves;
};

/// Numbers the leaves from left to right and takes down what each sees on the way from the root.
class Numbering {
 public:
  explicit Numbering(TopologyTables& tables) : tables_(tables), tree_(tables.tree) {}

  std::vector<Inner> run() {
    tables_.node_leaves.assign(tree_.nodes.size(), {0, 0});
    visit(tree_.root, View{});
    fill_shares();
    return std::move(inner_);
  }

 private:
  /// What hangs above a leaf; indices into inner_ are -1 where there is none.
  struct View {
    int depth = -1;
    int core = -1;
    int package = -1;
    int l1d = -1, l2 = -1, l3 = -1;
    std::vector<int> nodes = {};  // nearest first
  };

  void visit(const TreeObject& object, View view) {
    if (object.depth <= view.depth) contradiction(tree_, "a child is not deeper than its parent");
    view.depth = object.depth;
    const int first = static_cast<int>(tables_.leaves.size());
    add_nodes(object, view);
    if (is_leaf(object)) {
      add_leaf(object, view);
    } else {
      const int self = static_cast<int>(inner_.size());
      inner_.push_back({&object, {first, first}});
      add_object(object, self, view);
      if (object.children.empty()) contradiction(tree_, "an object holds no PU");
      for (const TreeObject& child : object.children) visit(child, view);
      inner_[self].leaves.last = static_cast<int>(tables_.leaves.size());
    }
    const LeafRange leaves{first, static_cast<int>(tables_.leaves.size())};
    for (const int node : object.nodes) tables_.node_leaves[node] = leaves;
  }

  void add_nodes(const TreeObject& object, View& view) {
    std::vector<int> here;
    for (const int node : object.nodes) {
      if (node < 0 || node >= static_cast<int>(tree_.nodes.size())) {
        contradiction(tree_, "there is no memory node " + std::to_string(node));
      }
      if (tree_.nodes[node].has_cpus) here.push_back(node);
    }
    view.nodes.insert(view.nodes.begin(), here.begin(), here.end());
  }

  void add_object(const TreeObject& object, int self, View& view) {
    switch (object.kind) {
      case ObjectKind::kPackage:
        view.package = tables_.packages++;
        break;
      case ObjectKind::kCore:
        view.core = tables_.cores++;
        siblings_ = 0;
        break;
      case ObjectKind::kL1d:
        view.l1d = self;
        break;
      case ObjectKind::kL2:
        view.l2 = self;
        break;
      case ObjectKind::kL3:
        view.l3 = self;
        break;
      default:
        break;
    }
  }

  void add_leaf(const TreeObject& object, const View& view) {
    if (!object.children.empty()) contradiction(tree_, "a PU has children");
    Leaf leaf;
    leaf.os_index = object.os_index;
    leaf.core = view.core >= 0 ? view.core : tables_.cores++;
    leaf.sibling = view.core >= 0 ? siblings_++ : 0;
    leaf.package = view.package;
    leaf.local_nodes = view.nodes;
    tables_.leaves.push_back(std::move(leaf));
    caches_.push_back({view.l1d, view.l2, view.l3});
  }

  Cache cache(int inner) const {
    if (inner < 0) return {};
    const LeafRange& leaves = inner_[inner].leaves;
    return {inner_[inner].object->cache_bytes, leaves.last - leaves.first, leaves.first};
  }

  /// How many leaves share a cache is known only after the walk.
  void fill_shares() {
    for (std::size_t i = 0; i < caches_.size(); ++i) {
      Leaf& leaf = tables_.leaves[i];
      leaf.l1d = cache(caches_[i].l1d);
      leaf.l2 = cache(caches_[i].l2);
      leaf.l3 = cache(caches_[i].l3);
    }
  }

  struct Caches {
    int l1d, l2, l3;
  };

  TopologyTables& tables_;
  const Tree& tree_;
  std::vector<Inner> inner_;
  std::vector<Caches> caches_;  // by leaf, indices into inner_
  int siblings_ = 0;            // leaves seen of the current core
};

void collect_parts(const TreeObject& object, const Tree& tree,
                   std::map<int, std::vector<std::string>>& parts_at_depth) {
  std::vector<std::string>& parts = parts_at_depth[object.depth];
  const auto add = [&](const std::string& part) {
    if (std::find(parts.begin(), parts.end(), part) == parts.end()) parts.push_back(part);
  };
  const bool holds_memory = std::any_of(object.nodes.begin(), object.nodes.end(),
                                        [&](int node) { return tree.nodes[node].has_cpus; });
  if (holds_memory) add("NUMA");
  // hwloc makes a group where nothing else holds the same CPUs as a memory node.
  if (object.kind != ObjectKind::kGroup || !holds_memory) add(kind_name(object.kind));
  for (const TreeObject& child : object.children) collect_parts(child, tree, parts_at_depth);
}

/// One word for a level between the leaf and the machine.
std::string weightiest(const std::vector<std::string>& parts) {
  for (const char* name : {"package", "NUMA", "core", "L3", "L2", "die", "L4", "L5", "group"}) {
    if (std::find(parts.begin(), parts.end(), name) != parts.end()) return name;
  }
  return parts.back();
}

std::string level_name(const std::vector<std::string>& parts, int level, int levels) {
  if (level == levels - 1) return "machine";
  if (level > 0) return weightiest(parts);
  return std::find(parts.begin(), parts.end(), "core") != parts.end() ? "core" : "PU";
}

/// Merges depths at which nothing branches into the next branching one below; returns level by
/// depth.
std::map<int, int> number_levels(TopologyTables& tables, const std::vector<Inner>& inner) {
  std::set<int, std::greater<>> branching;  // from the deepest up
  for (const Inner& object : inner) {
    if (object.object->children.size() > 1) branching.insert(object.object->depth);
  }
  std::map<int, std::vector<std::string>> parts_at_depth;
  collect_parts(tables.tree.root, tables.tree, parts_at_depth);

  std::map<int, int> level_of_depth;
  tables.level_parts.resize(1);
  for (auto depth = parts_at_depth.rbegin(); depth != parts_at_depth.rend(); ++depth) {
    if (branching.count(depth->first) != 0) tables.level_parts.emplace_back();
    std::vector<std::string>& parts = tables.level_parts.back();
    for (const std::string& part : depth->second) {
      if (std::find(parts.begin(), parts.end(), part) == parts.end()) parts.push_back(part);
    }
    level_of_depth[depth->first] = static_cast<int>(tables.level_parts.size()) - 1;
  }
  const int levels = static_cast<int>(tables.level_parts.size());
  for (int level = 0; level < levels; ++level) {
    tables.level_names.push_back(level_name(tables.level_parts[level], level, levels));
  }
  return level_of_depth;
}

void fill_subtrees(TopologyTables& tables, const std::vector<Inner>& inner,
                   const std::map<int, int>& level_of_depth) {
  const std::size_t levels = tables.level_parts.size();
  const std::size_t leaves = tables.leaves.size();
  tables.subtrees.assign(leaves * levels, {0, 0});
  for (std::size_t leaf = 0; leaf < leaves; ++leaf) {
    const int number = static_cast<int>(leaf);
    tables.subtrees[leaf * levels] = {number, number + 1};
  }
  for (const Inner& object : inner) {
    if (object.object->children.size() < 2) continue;
    const std::size_t level = level_of_depth.at(object.object->depth);
    for (int leaf = object.leaves.first; leaf < object.leaves.last; ++leaf) {
      tables.subtrees[leaf * levels + level] = object.leaves;
    }
  }
  // A branch without an object at some level: what it has below counts there too.
  for (std::size_t i = 1; i < tables.subtrees.size(); ++i) {
    const bool missing = tables.subtrees[i].last == 0;
    if (missing) tables.subtrees[i] = tables.subtrees[i - 1];
  }
}

/// Nearest node with memory: of the leaf's own ones if it has any, else of all.
int nearest_node(const TopologyTables& tables, int number) {
  const std::vector<MemoryNode>& nodes = tables.tree.nodes;
  const std::vector<int>& local = tables.leaves[number].local_nodes;
  const auto with_memory = std::find_if(local.begin(), local.end(),
                                        [&](int node) { return nodes[node].memory_bytes > 0; });
  if (with_memory != local.end()) return *with_memory;
  const auto cost = [&](int node) {
    const LeafRange& there = tables.node_leaves[node];
    const LeafRange both{std::min(number, there.first), std::max(number + 1, there.last)};
    const bool is_local = std::find(local.begin(), local.end(), node) != local.end();
    return std::tuple(nodes[node].memory_bytes == 0, !is_local, tables.level_covering(both),
                      !nodes[node].has_cpus);
  };
  int nearest = 0;
  for (int node = 1; node < static_cast<int>(nodes.size()); ++node) {
    if (cost(node) < cost(nearest)) nearest = node;
  }
  return nearest;
}

std::vector<int> stated_distances(const Tree& tree) {
  std::vector<int> distances;
  for (const std::uint64_t stated : tree.distances) {
    constexpr std::uint64_t kMost = std::numeric_limits<int>::max();
    distances.push_back(static_cast<int>(std::min(stated, kMost)));
  }
  return distances;
}

/// 10 to itself, then 20, 30, … by the height of what joins two nodes.
std::vector<int> distances_by_height(const TopologyTables& tables) {
  const int nodes = static_cast<int>(tables.tree.nodes.size());
  const auto height = [&](int a, int b) {
    const LeafRange& at_a = tables.node_leaves[a];
    const LeafRange& at_b = tables.node_leaves[b];
    return tables.level_covering(
        {std::min(at_a.first, at_b.first), std::max(at_a.last, at_b.last)});
  };
  std::set<int> heights;
  for (int a = 0; a < nodes; ++a) {
    for (int b = 0; b < a; ++b) heights.insert(height(a, b));
  }
  std::vector<int> distances;
  for (int a = 0; a < nodes; ++a) {
    for (int b = 0; b < nodes; ++b) {
      const auto rank = std::distance(heights.begin(), heights.find(height(a, b)));
      distances.push_back(a == b ? 10 : 20 + 10 * static_cast<int>(rank));
    }
  }
  return distances;
}

}  // namespace

int TopologyTables::level_covering(const LeafRange& range) const {
  int level = 0;
  while (!subtree(range.first, level).contains(range)) ++level;
  return level;
}

TopologyTables::TopologyTables(Tree from) : tree(std::move(from)) {
  if (tree.nodes.empty()) {
    tree.nodes.push_back({});
    tree.root.nodes.push_back(0);
  }
  const std::vector<Inner> inner = Numbering(*this).run();
  const std::map<int, int> level_of_depth = number_levels(*this, inner);
  fill_subtrees(*this, inner, level_of_depth);
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    leaves[i].node = nearest_node(*this, static_cast<int>(i));
  }
  const bool stated = tree.distances.size() == tree.nodes.size() * tree.nodes.size();
  distances = stated ? stated_distances(tree) : distances_by_height(*this);
}

}  // namespace postroom
