#include "cli/reproduce/fat_tree_figures.h"

#include <vector>

#include "fat_trees/fat_tree.h"
#include "fat_trees/fat_tree_network.h"
#include "fat_trees/fat_tree_picture.h"
#include "fat_trees/total_exchange_schedule.h"

namespace postroom::cli {
namespace {

std::string listed(const std::string& before, int letter) {
  return (before.empty() ? "" : before + ",") + static_cast<char>('A' + letter);
}

FatTreePanel load_of_total_exchange(const char* name, const FatTree& tree) {
  FatTreePanel panel = load_panel(tree, simulate(tree, total_exchange_schedule(tree)));
  panel.title = std::string("Total exchange on the ") + name + ": " + panel.title;
  return panel;
}

}  // namespace

std::string fat_tree_figure_1() {
  const FatTree tree = FatTree::balanced(8).exponential();
  FatTreePanel panel{tree};
  panel.title = "A fat tree of 8 processors (EBFT)";
  for (int level = 1; level <= tree.levels(); ++level) {
    panel.up[tree.ancestor(0, level - 1)] =
        "c" + std::to_string(level) + " = " + std::to_string(tree.capacity(level));
  }
  return fat_tree_svg({panel});
}

std::string fat_tree_figure_2() {
  const FatTree tree = FatTree::balanced(8);
  FatTreePanel panel{tree};
  panel.title = "Scattering from leaf 0: the leaves of S3 first, of S1 last";
  for (int level = 1; level <= tree.levels(); ++level) {
    panel.names[tree.ancestor(0, level)] = "R" + std::to_string(level);
    const int right = tree.children(tree.ancestor(0, level)).first + 1;
    panel.marked_subtrees[right] = "S" + std::to_string(level);
  }
  return fat_tree_svg({panel});
}

std::string fat_tree_figure_3() {
  const FatTree tree = FatTree::balanced(4);
  std::vector<FatTreePanel> panels;
  FatTreeNetwork network(tree);
  network.observe([&](int node, bool up, int tag) {
    FatTreePanel& panel = panels.back();
    std::string& label = up ? panel.up[node] : panel.down[node];
    label = listed(label, tag);
  });
  for (int leaf = 0; leaf < tree.leaf_count(); ++leaf) network.inject(leaf, tree.root(), leaf);
  while (!network.idle()) {
    FatTreePanel& panel = panels.emplace_back(FatTreePanel{tree});
    panel.title = "step " + std::to_string(network.now() + 1);
    panel.show_levels = false;
    for (int leaf = 0; leaf < tree.leaf_count(); ++leaf) panel.names[leaf] = listed("", leaf);
    network.step();
    for (auto& [node, label] : panel.up) label = "↑" + label;
    for (auto& [node, label] : panel.down) label = "↓" + label;
  }
  return fat_tree_svg(panels, 3);
}

std::string fat_tree_load_figure() {
  const FatTree tree = FatTree::balanced(8);
  return fat_tree_svg(
      {load_of_total_exchange("CBFT", tree), load_of_total_exchange("EBFT", tree.exponential())},
      2);
}

}  // namespace postroom::cli
