// A fat tree as a picture: text for a terminal, SVG for a page.
//
// The SVG draws every physical link as a line (a branch of more than 8 links as one thick line),
// leaves as boxes, routers as circles, levels on the left margin. Labels are the caller's: beside a
// branch what goes up and, below it, what goes down, text in a leaf or beside a router,
// and subtrees or branches to be set off. Several trees can stand side by side in one picture, as
// the steps of an algorithm.
//
// The text has one line for each node, or, for more than 32 leaves, one for each level.
//
// Cost: linear in nodes and links drawn; trees of more than a few hundred leaves make wide
// pictures.
//
//   const FatTree tree = FatTree::balanced(8).exponential();
//   const FatTreeReport report = simulate(tree, total_exchange_schedule(tree));
//   std::string text = draw_fat_tree(tree, &report);
//   std::string svg = fat_tree_svg({load_panel(tree, report)});
#pragma once

#include <map>
#include <string>
#include <vector>

#include "fat_trees/fat_tree.h"
#include "fat_trees/fat_tree_network.h"

namespace postroom {

/// With the load and the longest queues of a run if there is a report.
std::string draw_fat_tree(const FatTree& tree, const FatTreeReport* report = nullptr);

/// One tree of an SVG picture. Maps go from nodes to text; a branch is named by the node below it.
struct FatTreePanel {
  FatTree tree;
  std::string title = {};
  std::string note = {};  ///< below the title, in small letters
  std::map<int, std::string> up = {};
  std::map<int, std::string> down = {};
  std::map<int, std::string> names = {};  ///< instead of a leaf's number, or beside a router
  std::map<int, std::string> marked_subtrees = {};  ///< a frame around the node and all below it
  /// 0 … 1, how much of each branch was in use: colours it from blue to red.
  std::map<int, double> heat = {};
  bool show_levels = true;
  /// Whether branches and their labels can be found by a script: b7 is the branch above node 7, u7
  /// its label for what goes up, d7 for what goes down.
  bool has_ids = false;
};

/// The packets that each branch carried, coloured by how much of its time it was in use.
FatTreePanel load_panel(const FatTree& tree, const FatTreeReport& report);

/// The panels from left to right, `columns` in a row.
std::string fat_tree_svg(const std::vector<FatTreePanel>& panels, int columns = 1);

}  // namespace postroom
