#include "numa/topology.h"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>

#include "numa/binding.h"
#include "numa/cacheline.h"
#include "numa/draw.h"
#include "numa/hwloc_reader.h"
#include "numa/once.h"
#include "numa/topology_tables.h"

namespace postroom {
namespace {

void check(const char* what, int index, int count) {
  if (index >= 0 && index < count) return;
  throw std::invalid_argument(std::string(what) + ": " + std::to_string(index) +
                              " is not allowed; 0 to " + std::to_string(count - 1));
}

bool is_xml_path(const std::string& text) {
  const std::string ending = ".xml";
  return text.size() > ending.size() &&
         text.compare(text.size() - ending.size(), ending.size(), ending) == 0;
}

}  // namespace

Topology::Topology(std::shared_ptr<const TopologyTables> tables) : tables_(std::move(tables)) {}

Topology Topology::from_tree(Tree tree) {
  return Topology(std::make_shared<const TopologyTables>(std::move(tree)));
}

Topology Topology::this_machine() { return from_tree(read_this_machine(current_binding().cpus())); }

const std::shared_ptr<const Topology>& Topology::this_machine_once() {
  using Box = std::shared_ptr<const Topology>;
  static constinit MadeOnce<const Box> once;
  return once.get([] {
    std::vector<int> cpus = current_binding().cpus();
    std::vector<int> of_first = binding_of_first_thread().cpus();
    if (of_first.size() > cpus.size()) cpus = std::move(of_first);
    return std::make_unique<const Box>(
        std::make_shared<const Topology>(from_tree(read_this_machine(cpus))));
  });
}

Topology Topology::synthetic(const std::string& description) {
  return from_tree(read_synthetic(description));
}

Topology Topology::from_xml(const std::string& path) { return from_tree(read_xml(path)); }

Topology Topology::parse(const std::string& text) {
  if (text.empty() || text == "box") return this_machine();
  return is_xml_path(text) ? from_xml(text) : synthetic(text);
}

Topology Topology::restricted_to(const std::vector<int>& os_indices) const {
  Tree tree = tables_->tree;
  restrict_to(tree, os_indices);
  return from_tree(std::move(tree));
}

bool Topology::is_this_machine() const { return tables_->tree.is_this_machine; }

const std::string& Topology::name() const { return tables_->tree.name; }

const std::vector<std::string>& Topology::notes() const { return tables_->tree.notes; }

int Topology::leaf_count() const { return static_cast<int>(tables_->leaves.size()); }

const Leaf& Topology::leaf(int i) const {
  check("leaf", i, leaf_count());
  return tables_->leaves[i];
}

int Topology::core_count() const { return tables_->cores; }

int Topology::package_count() const { return tables_->packages; }

int Topology::level_count() const { return static_cast<int>(tables_->level_parts.size()); }

std::string Topology::level_name(int level) const {
  check("level", level, level_count());
  return tables_->level_names[level];
}

const std::vector<std::string>& Topology::level_parts(int level) const {
  check("level", level, level_count());
  return tables_->level_parts[level];
}

int Topology::level(int a, int b) const {
  check("leaf", a, leaf_count());
  check("leaf", b, leaf_count());
  int level = 0;
  while (b < tables_->subtree(a, level).first || b >= tables_->subtree(a, level).last) ++level;
  return level;
}

std::pair<int, int> Topology::subtree(int leaf, int level) const {
  check("leaf", leaf, leaf_count());
  check("level", level, level_count());
  const LeafRange& range = tables_->subtree(leaf, level);
  return {range.first, range.last};
}

int Topology::nodes_near_leaves() const {
  std::vector<bool> near(static_cast<std::size_t>(node_count()));
  for (int i = 0; i < leaf_count(); ++i) near[static_cast<std::size_t>(leaf(i).node)] = true;
  return static_cast<int>(std::ranges::count(near, true));
}

int Topology::node_count() const { return static_cast<int>(tables_->tree.nodes.size()); }

const MemoryNode& Topology::node(int node) const {
  check("node", node, node_count());
  return tables_->tree.nodes[node];
}

int Topology::node_of(int i) const { return leaf(i).node; }

int Topology::node_distance(int node_a, int node_b) const {
  check("node", node_a, node_count());
  check("node", node_b, node_count());
  return tables_->distances[static_cast<std::size_t>(node_a) * node_count() + node_b];
}

int Topology::cache_line_bytes() const {
  const int known = tables_->tree.cache_line_bytes;
  return known > 0 ? known : static_cast<int>(kCacheLine);
}

std::uint64_t Topology::total_memory_bytes() const {
  std::uint64_t total = 0;
  for (const MemoryNode& node : tables_->tree.nodes) total += node.memory_bytes;
  return total;
}

std::string Topology::draw() const { return draw_tree(tables_->tree); }

}  // namespace postroom
