// What a box looks like: its leaves (the places where a thread can run), the tree above them, its
// memory.
//
// The leaves are the allowed PUs (hardware threads), numbered from left to right, so that every
// subtree holds a contiguous range. The level of two leaves is the height of their lowest common
// ancestor in that tree: what they share is a core (SMT siblings), a cache, a NUMA node, a package
// or the machine.
//
// Levels at which nothing branches are merged with the next one below, so level 0 is the leaf,
// every other level joins something, and the last one is the machine. On one leaf there is level 0
// alone. Where branches are of unequal length (a core with SMT beside one without), the same level
// means the same thing everywhere: subtree(leaf, level) is always the set of leaves b with
// level(leaf, b) <= level.
//
// Source: Dimakopoulos and Dimopoulos, "Communications in Binary Fat Trees", section 2: processors
// at the leaves, levels counted from there. Here a node may have any number of children. hwloc
// supplies the tree.
// Who may call: a Topology is an immutable value; copying is one reference count, reading from
// several threads needs no lock. References that it hands out live as long as it or one of its
// copies.
// Cost: level() O(level_count()), about 20 ns; subtree() and the rest O(1), but draw() and
// nodes_near_leaves(), which look at all leaves. Memory: 8 bytes a leaf and level, and the tree.
// Errors: an index out of range is std::invalid_argument.
//
//   const Topology box = Topology::parse("package:2 core:4 pu:2");
//   box.leaf_count();      // 16
//   box.level(0, 1);       // 1: the same core
//   box.level(0, 2);       // 2: the same package
//   box.subtree(9, 2);     // {8, 16}
//   box.level_name(3);     // "machine"
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "numa/tree.h"

namespace postroom {

/// A cache as a leaf sees it.
struct Cache {
  std::uint64_t bytes = 0;  ///< 0: unknown, or there is none
  int leaves = 0;           ///< how many leaves share it, this one included
  int first_leaf = -1;      ///< the first of them; -1: there is none
};

/// A place where a thread can run.
struct Leaf {
  int os_index = -1;  ///< the CPU's number to the operating system; -1: unknown
  int core = 0;       ///< 0 … core_count()-1, in leaf order; without known cores one a leaf
  int sibling = 0;    ///< 0 for the first leaf of its core, 1 for the next, …
  int package = -1;   ///< 0 … package_count()-1, in leaf order; -1: in no known package
  int node = 0;       ///< the nearest memory node that has memory
  std::vector<int> local_nodes;  ///< all nodes that list it as theirs, nearest first; may be none
  Cache l1d, l2, l3;
};

struct TopologyTables;  // numa/topology_tables.h

class Topology {
 public:
  // Copied even where it could be moved, so that there is no empty one.
  Topology(const Topology&) = default;
  Topology& operator=(const Topology&) = default;

  /// This machine, restricted to the CPUs that the calling thread may run on. Never fails: what the
  /// system hides becomes a note, at worst one leaf for each allowed CPU and nothing else.
  static Topology this_machine();
  /// The same as it was when it was first asked for, once: a look takes some milliseconds. With the
  /// CPUs that the process's first thread may run on where these are more: who asks may be a thread
  /// that is pinned. Lives as long as the program.
  static const std::shared_ptr<const Topology>& this_machine_once();
  /// A made-up box in hwloc's words, from the outside to the inside: "numa:4 core:8 pu:2", at most
  /// 4,096 leaves. Throws std::invalid_argument for nonsense.
  static Topology synthetic(const std::string& description);
  /// A box from a file that `lstopo FILE.xml` wrote. Throws std::system_error when it cannot be
  /// read, std::invalid_argument when it is something else.
  static Topology from_xml(const std::string& path);
  /// "" or "box": this machine; *.xml: a file; anything else: synthetic.
  static Topology parse(const std::string& text);
  /// Throws std::invalid_argument when the tree contradicts itself (numa/tree.h).
  static Topology from_tree(Tree tree);

  /// The same box with the CPUs `os_indices` alone. Throws std::invalid_argument when none is left.
  Topology restricted_to(const std::vector<int>& os_indices) const;

  /// Whether this is the machine that we run on. Pinning and binding memory make sense only then.
  bool is_this_machine() const;
  /// Where it comes from, in words: "this machine", "synthetic pu:4", a path.
  const std::string& name() const;
  /// What the user should know about how it was read.
  const std::vector<std::string>& notes() const;

  int leaf_count() const;
  const Leaf& leaf(int i) const;
  int core_count() const;
  int package_count() const;

  int level_count() const;
  /// "core" or "PU" for level 0, "machine" for the last, between them the weightiest of what was
  /// merged.
  std::string level_name(int level) const;
  /// All that was merged into this level, from the inside to the outside: {"L3", "NUMA",
  /// "package"}.
  const std::vector<std::string>& level_parts(int level) const;
  /// The height of the lowest common ancestor; 0 when a == b. An ultrametric.
  int level(int a, int b) const;
  /// The leaves [first, second) below the ancestor of `leaf` at `level`.
  std::pair<int, int> subtree(int leaf, int level) const;

  /// At least 1.
  int node_count() const;
  const MemoryNode& node(int node) const;
  /// How many of them are the nearest to some leaf: the others have memory, but no CPU that is
  /// allowed.
  int nodes_near_leaves() const;
  /// leaf(leaf).node.
  int node_of(int leaf) const;
  /// The latency between two nodes relative to 10, as the box states it. Where it states none: 10
  /// to itself, and 20, 30, … to the others by the height of what joins them.
  int node_distance(int node_a, int node_b) const;

  int cache_line_bytes() const;
  /// Of all nodes together; 0 when unknown. A cgroup may allow less: numa/quota.h.
  std::uint64_t total_memory_bytes() const;

  /// The tree as text, some lines long; many siblings that look alike are drawn once and counted.
  std::string draw() const;

 private:
  explicit Topology(std::shared_ptr<const TopologyTables> tables);

  std::shared_ptr<const TopologyTables> tables_;
};

}  // namespace postroom
