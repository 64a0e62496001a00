// The tree of a box as plain data: what was read, before leaves are numbered and levels are merged.
//
// The reader (numa/hwloc_reader.h) makes it from hwloc; Topology makes its tables from it. It can
// also be written by hand, which is how shapes are tested that no generator offers. Inner objects
// are packages, dies, groups, caches and cores; memory nodes are not objects of the tree but hang
// on one.
//
// Cost: linear in the number of objects.
// Errors: std::invalid_argument, see each function.
//
//   Tree tree = flat_tree({4, 5, 6});   // three CPUs side by side
//   restrict_to(tree, {5, 6});          // two of them
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "numa/language.h"

namespace postroom {

enum class ObjectKind { kMachine, kPackage, kDie, kGroup, kL5, kL4, kL3, kL2, kL1d, kCore, kPu };

/// The word for a kind: "package", "L3", "core", …
std::string kind_name(ObjectKind kind);

/// A NUMA node.
struct MemoryNode {
  int os_index = 0;                ///< its number to the operating system
  std::uint64_t memory_bytes = 0;  ///< 0 where unknown or where it has none
  bool has_cpus = true;            ///< false: memory alone, near to no CPU
};

struct TreeObject {
  ObjectKind kind = ObjectKind::kPu;
  /// Grows strictly from parent to child. Objects of the same meaning have the same depth in the
  /// whole tree, so that branches of unequal length can be compared; it may skip numbers.
  int depth = 0;
  int os_index = -1;  ///< of a PU: the CPU's number to the operating system
  std::uint64_t cache_bytes = 0;
  std::vector<int> nodes;  ///< the memory nodes that hang here, as indices into Tree::nodes
  std::vector<TreeObject> children;  ///< empty for a PU, and for a PU alone
};

struct Tree {
  std::string name;  ///< where it comes from, in words
  TreeObject root;
  std::vector<MemoryNode> nodes;
  /// The latencies between nodes, row by row, the smallest to itself; empty where unknown.
  std::vector<std::uint64_t> distances;
  int cache_line_bytes = 0;  ///< 0: unknown
  bool is_this_machine = false;
  std::vector<std::string> notes;  ///< what the user should know about how it was read
};

/// Drops the objects that hold no PU, as systems list them whose CPUs are switched off or not
/// allowed. Memory that hung on them stays, one object further up and without CPUs. Throws
/// std::invalid_argument when nothing would be left; the tree is then undefined.
void drop_empty(Tree& tree);

/// Drops all PUs but those of `cpus` (numbers of the operating system), and then does what
/// drop_empty does.
void restrict_to(Tree& tree, const std::vector<int>& cpus);

/// The machine with the PUs `cpus` directly below it, one memory node, and nothing known of either.
/// Throws std::invalid_argument when `cpus` is empty.
Tree flat_tree(const std::vector<int>& cpus);

}  // namespace postroom
