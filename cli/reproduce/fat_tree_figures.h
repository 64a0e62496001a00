// The figures of [F], and how much the branches carry in a total exchange; each as SVG.
#pragma once

#include <string>

namespace postroom::cli {

/// Fig. 1: a fat tree of eight processors, with its capacities.
std::string fat_tree_figure_1();
/// Fig. 2: the subtrees that a scatter serves one after another.
std::string fat_tree_figure_2();
/// Fig. 3: what crosses each branch at each step of a multinode broadcast on four leaves.
std::string fat_tree_figure_3();
/// The packets over each branch in a total exchange of eight leaves, on the CBFT and the EBFT.
std::string fat_tree_load_figure();

}  // namespace postroom::cli
