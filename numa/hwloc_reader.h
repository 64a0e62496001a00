// Reads the tree of a box with hwloc: this machine, a description, or an XML file.
//
// The only place that knows hwloc. It takes the normal objects (machine … PU) and hangs memory
// nodes on the object that they belong to; I/O and other objects are left out, and so are
// instruction caches.
//
// Who may call: any thread.
// Cost: 3–17 ms for this machine (measured on a virtual one with 2 busy cores), 2–6 ms for
// descriptions of up to 256 leaves, 0.2 s for 4,096.
// Errors: std::invalid_argument for nonsense, std::system_error for a file that cannot be read.
// read_this_machine does not fail: what cannot be found out becomes a note in the tree.
//
//   const Tree tree = read_synthetic("package:2 core:4 pu:2");
#pragma once

#include <string>
#include <vector>

#include "numa/tree.h"

namespace postroom {

/// Descriptions with more leaves are refused: hwloc takes more than a minute for 16,384 side by
/// side.
inline constexpr int kMostSyntheticLeaves = 4096;

/// This machine, with the CPUs `allowed`, such as those that a thread may run on
/// (current_binding()); all where there are none.
Tree read_this_machine(const std::vector<int>& allowed);

/// `description` in the words of hwloc: "numa:4 core:8 pu:2" and the like.
Tree read_synthetic(const std::string& description);

/// An XML file as hwloc writes it (lstopo box.xml).
Tree read_xml(const std::string& path);

/// What read_this_machine does after reading: keeps the CPUs `allowed` of `tree`, or, where the
/// tree lacks some of them, because the system hides them, returns a flat tree of `allowed` with a
/// note.
Tree this_machine_from(Tree tree, const std::vector<int>& allowed);

}  // namespace postroom
