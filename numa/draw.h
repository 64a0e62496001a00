// A tree as text, for people.
//
// One line for each object that branches; what does not branch is written on the same line as what
// it holds, from the outside to the inside, and a core with several PUs takes one line. When the
// box is large, three or more siblings that look alike are drawn once and the others are counted.
//
// Cost: linear in the tree, and a string of the shape of each subtree. Lines end in '\n'.
//
//   machine (4.8 GiB): leaves 0-3
//   ├─ package 0, NUMA 0 (2.4 GiB), L3 (32 MiB): leaves 0-1
//   │  ├─ L2 (512 KiB), core 0: leaf 0 = CPU 0
//   …
#pragma once

#include <cstdint>
#include <string>

#include "numa/tree.h"

namespace postroom {

std::string draw_tree(const Tree& tree);

/// 33554432 → "32 MiB", 5 GB and a bit → "4.8 GiB".
std::string size_in_words(std::uint64_t bytes);

}  // namespace postroom
