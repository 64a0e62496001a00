#include "fat_trees/fat_tree_picture.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "fat_trees/total_exchange_schedule.h"

namespace postroom {
namespace {

int count(const std::string& text, const std::string& part) {
  int found = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++found;
  return found;
}

TEST(FatTreePicture, TextOfASmallTree) {
  const FatTree tree = FatTree::balanced(3).with_capacities({1, 2});
  EXPECT_EQ(draw_fat_tree(tree),
            "root: leaves 0-2\n"
            "├─ leaf 0, 2 links\n"
            "│  └─ leaf 0, 1 link\n"
            "└─ leaves 1-2, 2 links\n"
            "   ├─ leaf 1, 1 link\n"
            "   └─ leaf 2, 1 link\n");
  const FatTreeReport report = simulate(tree, total_exchange_schedule(tree));
  EXPECT_EQ(draw_fat_tree(tree, &report),
            "root: leaves 0-2\n"
            "├─ leaf 0, 2 links, 2 up, 2 down\n"
            "│  └─ leaf 0, 1 link, 2 up, 2 down\n"
            "└─ leaves 1-2, 2 links, 2 up, 2 down\n"
            "   ├─ leaf 1, 1 link, 2 up, 2 down\n"
            "   └─ leaf 2, 1 link, 2 up, 2 down\n"
            "longest queues: level 2 1 up, 1 down; level 1 1 up, 1 down\n" +
                std::to_string(report.steps) + " steps\n");
  EXPECT_EQ(draw_fat_tree(FatTree::balanced(1)), "root: leaf 0\n");
}

TEST(FatTreePicture, TextOfALargeTreeHasALineForEachLevel) {
  const FatTree tree = FatTree::balanced(65).exponential();
  EXPECT_EQ(draw_fat_tree(tree),
            "level 7: 1 node of 65 leaves; branches below: 33 links\n"
            "level 6: 2 nodes of 32-33 leaves; branches below: 17 links\n"
            "level 5: 4 nodes of 16-17 leaves; branches below: 9 links\n"
            "level 4: 8 nodes of 8-9 leaves; branches below: 5 links\n"
            "level 3: 16 nodes of 4-5 leaves; branches below: 3 links\n"
            "level 2: 32 nodes of 2-3 leaves; branches below: 2 links\n"
            "level 1: 64 nodes of 1-2 leaves; branches below: 1 link\n");
  const FatTreeReport report = simulate(tree, total_exchange_schedule(tree));
  EXPECT_EQ(count(draw_fat_tree(tree, &report), "64 up, 64 down"), 1);  // at the leaves
}

// Beside one of many branches a number would lie on its neighbour.
TEST(FatTreePicture, ManyBranchesCarryTheirNumbersThemselves) {
  FatTreePanel panel{FatTree::balanced(3, 3)};
  panel.up[0] = "up";
  panel.down[0] = "down";
  const std::string svg = fat_tree_svg({panel});
  EXPECT_EQ(count(svg, "text-anchor=\"middle\" font-size=\"11\" fill=\"#a4431a\">up<"), 1) << svg;
  EXPECT_EQ(count(svg, "text-anchor=\"middle\" font-size=\"11\" fill=\"#1a6a45\">down<"), 1) << svg;
}

TEST(FatTreePicture, SvgHasEveryLink) {
  const FatTree tree = FatTree::balanced(8).exponential();
  const FatTreeReport report = simulate(tree, total_exchange_schedule(tree));
  FatTreePanel panel = load_panel(tree, report);
  const std::string svg = fat_tree_svg({panel});
  EXPECT_EQ(count(svg, "<line"), 24);   // n links at each level
  EXPECT_EQ(count(svg, "<circle"), 7);  // routers
  EXPECT_EQ(count(svg, "↑16<"), 2);     // the two branches below the root
  EXPECT_EQ(count(svg, "↓7<"), 8);      // the leaves
  EXPECT_EQ(count(svg, "level 3"), 1);
  EXPECT_EQ(count(svg, ">56 packets in 12 steps<"), 1);
  EXPECT_EQ(count(svg, "packets up and down"), 1);
  EXPECT_EQ(count(svg, "<svg"), 1);
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  panel.title = "a < b & c";
  panel.marked_subtrees[tree.ancestor(4, 2)] = "S";
  const std::string two = fat_tree_svg({panel, panel}, 2);
  EXPECT_EQ(count(two, "<line"), 48);
  EXPECT_EQ(count(two, "a &lt; b &amp; c"), 2);
  EXPECT_EQ(count(two, ">S<"), 2);
}

}  // namespace
}  // namespace postroom
