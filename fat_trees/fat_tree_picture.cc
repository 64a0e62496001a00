#include "fat_trees/fat_tree_picture.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

#include "numa/rounding.h"
#include "numa/words.h"
#include "pictures/svg.h"
#include "pictures/utf8.h"

namespace postroom {
namespace {

constexpr int kDrawAllLeaves = 32;

// --- Text.

std::string range_in_words(const FatTree& tree, int node) {
  const auto [first, last] = tree.leaves(node);
  return leaves_in_words(first, last);
}

std::string branch_in_words(const FatTree& tree, int node, const FatTreeReport* report) {
  std::string text = ", " + counted(tree.capacity_above(node), "link");
  if (report != nullptr) {
    text += ", " + std::to_string(report->load[node].up) + " up, " +
            std::to_string(report->load[node].down) + " down";
  }
  return text;
}

void draw_node(const FatTree& tree, const FatTreeReport* report, int node,
               const std::string& before, std::string& text) {
  const auto [first, last] = tree.children(node);
  for (int child = first; child < last; ++child) {
    const bool is_last = child == last - 1;
    text += before + (is_last ? "└─ " : "├─ ") + range_in_words(tree, child) +
            branch_in_words(tree, child, report) + '\n';
    draw_node(tree, report, child, before + (is_last ? "   " : "│  "), text);
  }
}

/// "3-5", or "4" where all are the same.
std::string from_to(std::int64_t least, std::int64_t most) {
  return least == most ? std::to_string(least) : std::to_string(least) + "-" + std::to_string(most);
}

std::string loads_in_words(const FatTree& tree, const FatTreeReport& report, int level,
                           std::int64_t UpDown::*way) {
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  std::int64_t most = 0;
  for (int node = tree.nodes(level - 1).first; node < tree.nodes(level - 1).second; ++node) {
    least = std::min(least, report.load[node].*way);
    most = std::max(most, report.load[node].*way);
  }
  return from_to(least, most);
}

std::string level_in_words(const FatTree& tree, int level) {
  const auto [first, last] = tree.nodes(level);
  int least = tree.leaf_count();
  int most = 0;
  for (int node = first; node < last; ++node) {
    least = std::min(least, tree.size(node));
    most = std::max(most, tree.size(node));
  }
  return counted(last - first, "node") + " of " + from_to(least, most) +
         (most == 1 ? " leaf" : " leaves");
}

void draw_levels(const FatTree& tree, const FatTreeReport* report, std::string& text) {
  for (int level = tree.levels(); level >= 1; --level) {
    text += "level " + std::to_string(level) + ": " + level_in_words(tree, level) +
            "; branches below: " + counted(tree.capacity(level), "link");
    if (report != nullptr) {
      text += ", " + loads_in_words(tree, *report, level, &UpDown::up) + " up, " +
              loads_in_words(tree, *report, level, &UpDown::down) + " down";
    }
    text += '\n';
  }
}

std::string queues_in_words(const FatTreeReport& report) {
  std::string text = "longest queues:";
  for (std::size_t i = report.largest_queue.size(); i-- > 0;) {
    text += " level " + std::to_string(i + 1) + " " + std::to_string(report.largest_queue[i].up) +
            " up, " + std::to_string(report.largest_queue[i].down) + " down" + (i > 0 ? ";" : "");
  }
  return text + '\n';
}

// --- SVG.

constexpr double kLeastLeafWidth = 46;
constexpr double kLetterWidth = 7;
constexpr double kLevelHeight = 64;
constexpr double kMargin = 30;
constexpr double kLevelsWidth = 56;
constexpr double kTitleHeight = 26;
constexpr double kTitleLetterWidth = 8;
constexpr double kNoteHeight = 18;
constexpr double kNoteLetterWidth = 6;
constexpr int kMostLinesDrawn = 8;
constexpr const char* kInk = "#223";

std::string decimal(double value) { return fmt::format("{:.1f}", value); }

std::string attribute(const char* name, double value) {
  return std::string(" ") + name + "=\"" + decimal(value) + "\"";
}

/// Blue over violet to red.
std::string colour(double heat) {
  const double hot = std::clamp(heat, 0.0, 1.0);
  std::array<char, 16> text;
  std::snprintf(text.data(), text.size(), "#%02x%02x%02x", static_cast<int>(60 + 160 * hot),
                static_cast<int>(110 - 70 * hot), static_cast<int>(200 - 160 * hot));
  return text.data();
}

/// The largest number of children.
int widest(const FatTree& tree) {
  int most = 0;
  for (int node = 0; node < tree.node_count(); ++node) {
    if (tree.level(node) == 0) continue;
    const auto [first, last] = tree.children(node);
    most = std::max(most, last - first);
  }
  return most;
}

/// Many branches from one node lie flat unless there is room below it.
double level_height(const FatTree& tree) {
  return kLevelHeight * std::clamp(widest(tree) / 6.0, 1.0, 4.0);
}

/// Two labels, of the outer branches of neighbouring pairs, fit side by side; below a node of more
/// than two children a label fits between two branches, at its height.
double leaf_width(const FatTreePanel& panel) {
  std::size_t longest = 0;
  for (const auto* labels : {&panel.up, &panel.down}) {
    for (const auto& [node, label] : *labels) longest = std::max(longest, letters(label));
  }
  const double label = kLetterWidth * (static_cast<double>(longest) + 1);
  const double between = widest(panel.tree) > 2 && longest > 0 ? (label + 8) / 0.65 : 0;
  return std::max({kLeastLeafWidth, 2 * label / 1.5, between});
}

class Panel {
 public:
  Panel(const FatTreePanel& panel, double left, double top)
      : panel_(panel),
        tree_(panel.tree),
        leaf_width_(leaf_width(panel)),
        level_height_(level_height(panel.tree)),
        left_(left),
        top_(top) {}

  static double width(const FatTreePanel& panel) {
    const double words = std::max(kTitleLetterWidth * static_cast<double>(letters(panel.title)),
                                  kNoteLetterWidth * static_cast<double>(letters(panel.note)));
    return 2 * kMargin + std::max(tree_width(panel), words);
  }
  static double height(const FatTreePanel& panel) {
    return 2 * kMargin + head(panel) + level_height(panel.tree) * panel.tree.levels();
  }

  std::string draw() {
    text(left_ + width(panel_) / 2, top_ + kMargin, panel_.title, "middle", 15);
    text(left_ + width(panel_) / 2, top_ + kMargin + kNoteHeight, panel_.note, "middle", 11,
         "#778");
    for (const auto& [node, name] : panel_.marked_subtrees) frame(node, name);
    if (panel_.show_levels) levels();
    for (int node = 0; node < tree_.root(); ++node) branch(node);
    for (int node = 0; node < tree_.node_count(); ++node) draw_node(node);
    for (int node = 0; node < tree_.root(); ++node) labels(node);
    return std::move(svg_);
  }

 private:
  static double head(const FatTreePanel& panel) {
    return kTitleHeight + (panel.note.empty() ? 0 : kNoteHeight);
  }
  static double tree_width(const FatTreePanel& panel) {
    return (panel.show_levels ? kLevelsWidth : 0) + leaf_width(panel) * panel.tree.leaf_count();
  }
  double tree_left() const { return left_ + (width(panel_) - tree_width(panel_)) / 2; }
  double leaf_x(int leaf) const {
    return tree_left() + (panel_.show_levels ? kLevelsWidth : 0) + leaf_width_ * (leaf + 0.5);
  }
  double x(int node) const {
    const auto [first, last] = tree_.leaves(node);
    return (leaf_x(first) + leaf_x(last - 1)) / 2;
  }
  double y_of_level(int level) const {
    return top_ + kMargin + head(panel_) + level_height_ * (tree_.levels() - level);
  }
  double y(int node) const { return y_of_level(tree_.level(node)); }

  /// ` id="b7"`, or nothing where the picture has none.
  std::string id(char kind, int node) const {
    return panel_.has_ids ? " id=\"" + (kind + std::to_string(node)) + '"' : "";
  }

  void text(double x, double y, const std::string& words, const char* anchor, int size,
            const char* fill = kInk, const std::string& id = "") {
    if (words.empty()) return;
    svg_ += "<text" + id + attribute("x", x) + attribute("y", y) + " text-anchor=\"" + anchor +
            "\" font-size=\"" + std::to_string(size) + "\" fill=\"" + fill + "\">" +
            svg_text(words) + "</text>\n";
  }

  void line(double x1, double y1, double x2, double y2, double width) {
    svg_ += "<line" + attribute("x1", x1) + attribute("y1", y1) + attribute("x2", x2) +
            attribute("y2", y2) + attribute("stroke-width", width) + "/>\n";
  }

  void levels() {
    for (int level = 0; level <= tree_.levels(); ++level) {
      text(tree_left(), y_of_level(level) + 4, "level " + std::to_string(level), "start", 12,
           "#778");
    }
  }

  void branch(int node) {
    const auto heat = panel_.heat.find(node);
    const std::string stroke = heat == panel_.heat.end() ? "#56618a" : colour(heat->second);
    svg_ += "<g" + id('b', node) + " stroke=\"" + stroke + "\">\n";
    links_of(node);
    svg_ += "</g>\n";
  }

  void links_of(int node) {
    const int links = tree_.capacity_above(node);
    const double x1 = x(node), y1 = y(node), x2 = x(tree_.parent(node)), y2 = y(tree_.parent(node));
    if (links > kMostLinesDrawn) return line(x1, y1, x2, y2, 2.0 * kMostLinesDrawn + 4);
    for (int link = 0; link < links; ++link) {
      // Side by side, square to the branch.
      const double off = 3.0 * (link - (links - 1) / 2.0);
      const double length = std::hypot(x2 - x1, y2 - y1);
      const double dx = off * (y2 - y1) / length, dy = off * (x1 - x2) / length;
      line(x1 + dx, y1 + dy, x2 + dx, y2 + dy, 1.6);
    }
  }

  void draw_node(int node) {
    const auto name = panel_.names.find(node);
    if (tree_.level(node) > 0) {
      svg_ += "<circle" + attribute("cx", x(node)) + attribute("cy", y(node)) + attribute("r", 6) +
              " fill=\"#fff\" stroke=\"" + kInk + "\" stroke-width=\"1.5\"/>\n";
      if (name != panel_.names.end()) text(x(node) - 11, y(node) - 7, name->second, "end", 12);
      return;
    }
    svg_ += "<rect" + attribute("x", x(node) - 11) + attribute("y", y(node) - 10) +
            attribute("width", 22) + attribute("height", 20) + attribute("rx", 3) +
            " fill=\"#eef1fb\" stroke=\"" + kInk + "\" stroke-width=\"1.2\"/>\n";
    const bool named = name != panel_.names.end();
    text(x(node), y(node) + 4, named ? name->second : std::to_string(node), "middle", 12);
  }

  /// Where the branch above `node` is at height `y`.
  double branch_x(int node, double at_y) const {
    const int parent = tree_.parent(node);
    return x(node) + (x(parent) - x(node)) * (y(node) - at_y) / (y(node) - y(parent));
  }

  /// What goes up above what goes down. A halo of white keeps numbers legible on top of lines.
  void labels(int node) {
    const auto [first, last] = tree_.children(tree_.parent(node));
    const bool is_on = last - first > 2;
    svg_ += std::string("<g style=\"paint-order:stroke\" stroke=\"#fff\" stroke-width=\"") +
            (is_on ? "6" : "3") + "\">\n";
    if (is_on) {
      labels_on(node);
    } else {
      labels_beside(node, node == first);
    }
    svg_ += "</g>\n";
  }

  /// On the outer side of the branch, which leans away from the root: each label keeps clear of it
  /// at its foot.
  void labels_beside(int node, bool is_left) {
    const double middle_y = (y(node) + y(tree_.parent(node))) / 2;
    const double beside = std::min(tree_.capacity_above(node), kMostLinesDrawn) * 1.5 + 5;
    const double off = is_left ? -beside : beside;
    const char* const anchor = is_left ? "end" : "start";
    up_label(node, branch_x(node, middle_y - 2) + off, middle_y - 2, anchor);
    down_label(node, branch_x(node, middle_y + 11) + off, middle_y + 11, anchor);
  }

  /// On the branch, where it is one of many: at its lower end they are far apart.
  void labels_on(int node) {
    constexpr double kHalfLetter = 4;
    const double down = y(node) - 14, up = down - 13;
    up_label(node, branch_x(node, up - kHalfLetter), up, "middle");
    down_label(node, branch_x(node, down - kHalfLetter), down, "middle");
  }

  void up_label(int node, double x, double y, const char* anchor) {
    const auto found = panel_.up.find(node);
    if (found == panel_.up.end()) return;
    text(x, y, found->second, anchor, 11, "#a4431a", id('u', node));
  }
  void down_label(int node, double x, double y, const char* anchor) {
    const auto found = panel_.down.find(node);
    if (found == panel_.down.end()) return;
    text(x, y, found->second, anchor, 11, "#1a6a45", id('d', node));
  }

  void frame(int node, const std::string& name) {
    const auto [first, last] = tree_.leaves(node);
    const double left = leaf_x(first) - 17, right = leaf_x(last - 1) + 17;
    const double top = y(node) - 14, bottom = y_of_level(0) + 16;
    svg_ += "<rect" + attribute("x", left) + attribute("y", top) +
            attribute("width", right - left) + attribute("height", bottom - top) +
            " rx=\"8\" fill=\"#f4f0e2\" stroke=\"#a08a3c\" stroke-dasharray=\"4 3\"/>\n";
    const bool is_leaf = tree_.level(node) == 0;
    if (is_leaf) return text((left + right) / 2, bottom + 12, name, "middle", 12, "#7a6518");
    text(right - 6, top + 16, name, "end", 13, "#7a6518");
  }

  const FatTreePanel& panel_;
  const FatTree& tree_;
  double leaf_width_;
  double level_height_;
  double left_, top_;
  std::string svg_;
};

}  // namespace

std::string draw_fat_tree(const FatTree& tree, const FatTreeReport* report) {
  std::string text;
  if (tree.leaf_count() > kDrawAllLeaves) {
    draw_levels(tree, report, text);
  } else {
    text += "root: " + range_in_words(tree, tree.root()) + '\n';
    draw_node(tree, report, tree.root(), "", text);
  }
  if (report != nullptr) {
    text += queues_in_words(*report) + counted(report->steps, "step") + '\n';
  }
  return text;
}

FatTreePanel load_panel(const FatTree& tree, const FatTreeReport& report) {
  FatTreePanel panel{tree};
  panel.title = counted(report.packets, "packet") + " in " + counted(report.steps, "step");
  panel.note = "↑ ↓: packets up and down; blue to red: how much of the time the links are in use";
  for (int node = 0; node < tree.root(); ++node) {
    const UpDown& load = report.load[node];
    panel.up[node] = "↑" + std::to_string(load.up);
    panel.down[node] = "↓" + std::to_string(load.down);
    const double possible = static_cast<double>(tree.capacity_above(node)) *
                            static_cast<double>(std::max<std::int64_t>(report.steps, 1));
    panel.heat[node] = static_cast<double>(std::max(load.up, load.down)) / possible;
  }
  return panel;
}

std::string fat_tree_svg(const std::vector<FatTreePanel>& panels, int columns) {
  double width = 0, height = 0;
  for (const FatTreePanel& panel : panels) {
    width = std::max(width, Panel::width(panel));
    height = std::max(height, Panel::height(panel));
  }
  const int count = static_cast<int>(panels.size());
  const int in_a_row = std::clamp(columns, 1, std::max(count, 1));
  const int rows = ceil_divide(count, in_a_row);
  std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\"" +
                    attribute("width", in_a_row * width) + attribute("height", rows * height) +
                    " font-family=\"sans-serif\">\n<rect width=\"100%\" height=\"100%\" "
                    "fill=\"#fff\"/>\n";
  for (int i = 0; i < count; ++i) {
    svg += Panel(panels[i], (i % in_a_row) * width, (i / in_a_row) * height).draw();
  }
  return svg + "</svg>\n";
}

}  // namespace postroom
